package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;

import dev.outpost.backend.store.TestDatabase;
import org.junit.jupiter.api.Test;

/** A replica starts on a database that a newer version has migrated, as after the rollback of an upgrade. */
class NewerSchemaTest {
    @Test
    void replicaStartsOnTheSchemaOfANewerVersion() {
        TestDatabase database = TestDatabase.withRealClock();
        database.database()
                .run(sql -> sql.update(
                        "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script, checksum,"
                                + " installed_by, execution_time, success)"
                                + " VALUES (999, '999', 'newer', 'SQL', 'V999__newer.sql', 1, 'newer', 1, true)"));
        try (BackendProcess backend = BackendProcess.start(database)) {
            given().baseUri(backend.address())
                    .header("Authorization", "Bearer " + BackendProcess.ADMIN.text())
                    .get("/v1/machines")
                    .then()
                    .statusCode(200);
        }
    }
}
