package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MetricsTest {
    private static String metrics() {
        return given().baseUri(BackendProcess.shared().address())
                .get("/q/metrics")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    private static double value(String metrics, String name) {
        return metrics.lines()
                .filter(line -> line.startsWith(name))
                .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + name + " in " + metrics));
    }

    @Test
    void machinesAndCallsAreCounted() {
        Tenant tenant = Tenant.create();
        double before = value(metrics(), "outpost_calls_total{command=\"ensure\",outcome=\"done\"}");
        String id = tenant.startReady();
        String now = metrics();
        assertTrue(value(now, "outpost_calls_total{command=\"ensure\",outcome=\"done\"}") > before);
        assertTrue(value(now, "outpost_machines{state=\"ready\"}") >= 0);
        assertFalse(now.contains(id) || now.contains(tenant.name()), "nothing tells of a tenant");
    }
}
