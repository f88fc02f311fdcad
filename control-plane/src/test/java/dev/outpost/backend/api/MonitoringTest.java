package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.MetricLabels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code docs/admin/metrics.md} lists the metrics of a backend; MonitoringFilesTest compares dashboards and alerts with the page. */
class MonitoringTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "admin", "metrics.md");

    private static Map<String, Set<String>> exported;
    private static String page;

    @BeforeAll
    static void scrape() throws IOException {
        Tenant.create();
        page = Files.readString(PAGE);
        exported = new TreeMap<>(
                MetricLabels.exported(given().baseUri(BackendProcess.shared().address())
                        .get("/q/metrics")
                        .then()
                        .statusCode(200)
                        .extract()
                        .asString()));
    }

    @Test
    void thePageHasTheBackendsOwnMetricsAndNoOthers() {
        Map<String, Set<String>> own = new TreeMap<>(exported);
        own.keySet().removeIf(name -> !name.startsWith("outpost_"));
        assertEquals(MetricLabels.documented(page, "The backend"), own);
    }

    @Test
    void theMetricsOfEveryServiceExist() {
        MetricLabels.documented(page, "Every service but the relay")
                .forEach((name, labels) -> assertEquals(labels, exported.get(name), name));
        assertTrue(exported.containsKey("process_start_time_seconds"));
    }
}
