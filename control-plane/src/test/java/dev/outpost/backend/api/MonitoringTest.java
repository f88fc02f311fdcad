package dev.outpost.backend.api;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts in {@code deploy/monitoring} ask for metrics that a backend has. */
class MonitoringTest {
    private static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "..", "deploy", "monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:outpost|http|jvm|agroal)_[a-z0-9_]+");

    @Test
    void allMetricsOfTheGrafanaDashboardExist() throws IOException {
        JsonNode dashboard = new ObjectMapper()
                .readTree(FOLDER.resolve("grafana-backend.json").toFile());
        StringBuilder expressions = new StringBuilder();
        dashboard
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target ->
                                expressions.append(target.path("expr").asText()).append('\n')));
        assertExist(expressions.toString());
    }

    @Test
    void allMetricsOfTheAlertsExist() throws IOException {
        assertExist(Files.readString(FOLDER.resolve("alerts.yaml")).replaceAll("(?m)^ *#.*$", ""));
    }

    private static void assertExist(String text) {
        Tenant.create();
        Set<String> asked = names(text);
        assertTrue(asked.size() >= 3, () -> "only " + asked);
        Set<String> missing = new TreeSet<>(asked);
        missing.removeAll(names(given().baseUri(BackendProcess.shared().address())
                .get("/q/metrics")
                .then()
                .statusCode(200)
                .extract()
                .asString()));
        assertEquals(Set.of(), missing);
    }

    private static Set<String> names(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = METRIC.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }
}
