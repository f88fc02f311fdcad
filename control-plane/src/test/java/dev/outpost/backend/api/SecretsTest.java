package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No secret is in the database, in the log, on a command line, or in an answer other than that of its creation. */
class SecretsTest {
    private final Tenant tenant = Tenant.create();
    private final List<String> secrets = new ArrayList<>();

    private void keep(String text) {
        secrets.add(text);
        secrets.add(text.substring(text.lastIndexOf('_') + 1));
    }

    private void useEverything() {
        keep(BackendProcess.ADMIN.text());
        keep(tenant.key());
        keep(tenant.withScopes("READ").key());
        Tenant operator = Tenant.operator();
        String name = "w" + Tenant.draw().substring(0, 8);
        operator.put("/v1/clusters/" + name, Map.of("provider", "worker")).statusCode(200);
        keep(operator.post("/v1/clusters/" + name + ":pair", Map.of())
                .statusCode(201)
                .extract()
                .path("code"));
        var once = tenant.request()
                .header("Idempotency-Key", "s1")
                .body(Map.of("name", "ci", "scopes", List.of("READ")))
                .post("/v1/keys");
        keep(once.path("key"));
        tenant.startReady();
    }

    @Test
    void secretsAreNeitherStoredNorLogged() {
        useEverything();
        List<String> rows = BackendProcess.shared().rows();
        assertTrue(rows.size() > 20, "only " + rows.size() + " rows were read");
        String log = BackendProcess.shared().log();
        String commands = commandLines();
        String shown = tenant.get("/v1/keys").extract().asString()
                + tenant.get("/v1/audit").extract().asString()
                + Tenant.operator().get("/v1/clusters").extract().asString()
                + Tenant.operator().get("/v1/audit?limit=500").extract().asString();
        for (String secret : secrets) {
            rows.forEach(row -> assertFalse(row.contains(secret), row));
            assertFalse(log.contains(secret), log);
            assertFalse(shown.contains(secret), shown);
            assertFalse(commands.contains(secret), "a secret stands in the list of processes");
        }
    }

    private static String commandLines() {
        StringBuilder all = new StringBuilder();
        ProcessHandle.allProcesses()
                .forEach(process ->
                        all.append(process.info().commandLine().orElse("")).append('\n'));
        return all.toString();
    }
}
