package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A backend that lacks a setting is ready, and names the calls that it refuses. */
class ReadinessTest {
    @Test
    void missingSettingIsASentenceBesideTheReadiness() {
        Map<String, String> missing = given().baseUri(BackendProcess.shared().address())
                .get("/q/health/ready")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getMap("checks.find { it.name == 'settings' }.data");
        assertEquals(java.util.Set.of("OUTPOST_BACKEND_MANAGEMENT_KEY"), missing.keySet());
        assertTrue(missing.get("OUTPOST_BACKEND_MANAGEMENT_KEY").startsWith("is not set, so machines do not report"));
    }
}
