package dev.outpost.backend.api;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.outpost.support.tests.Await;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While the disk of the database is full, callers are asked to retry, and loops continue afterwards. */
class FullDiskTest {
    private final BackendProcess backend = BackendProcess.shared();
    private final Tenant tenant = Tenant.create();

    /** Makes changes of this tenant's rows in a table fail like PostgreSQL when it cannot extend a file. */
    private void fill(String table) {
        backend.execute("CREATE OR REPLACE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$");
        backend.execute("CREATE TRIGGER full_" + tenant.name() + " BEFORE INSERT OR UPDATE ON " + table
                + " FOR EACH ROW WHEN (NEW.organisation = '" + tenant.name() + "') EXECUTE FUNCTION disk_is_full()");
    }

    private void empty(String table) {
        backend.execute("DROP TRIGGER IF EXISTS full_" + tenant.name() + " ON " + table);
    }

    @AfterEach
    void freeSpace() {
        empty("projects");
        empty("quota_counters");
    }

    @Test
    void callersComeBackLater() {
        fill("projects");
        tenant.put("/v1/projects/vision", Map.of())
                .statusCode(503)
                .contentType("application/problem+json")
                .header("Retry-After", "1")
                .body("code", equalTo("unavailable"))
                .body("retryable", equalTo(true))
                .body("detail", containsString("the disk of the database is full"));
        empty("projects");
        tenant.put("/v1/projects/vision", Map.of()).statusCode(200);
    }

    /** A full disk is not a failure of a row, so rows are not paused for minutes. */
    @Test
    void loopsGoOn() {
        fill("quota_counters");
        tenant.startReady();
        Await.until(
                "the loop that counts quotas has failed",
                () -> backend.log()
                        .lines()
                        .anyMatch(line -> line.contains("quotas: ") && line.contains("No space left")));
        Tenant.operator()
                .get("/v1/failures?limit=500")
                .body("items.findAll { it.row == '" + tenant.name() + "' }", hasSize(0));
        empty("quota_counters");
        Await.until(
                "changes of quotas are counted",
                () -> backend.rows().stream()
                        .noneMatch(row -> row.startsWith("quota_changes") && row.contains(tenant.name())));
    }
}
