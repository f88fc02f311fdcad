package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.support.tests.MetricLabels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Dashboards and alerts use documented metrics. Tests of the services compare {@code docs/admin/metrics.md} with their
 * exported metrics: MonitoringTest, RuntimeManagementTest, RelayManagementTest, ServingMetricsTest.
 */
@Tag("quick")
class MonitoringFilesTest {
    private static final String ADMIN = "docs/admin/";
    private static final String RUNBOOKS = "https://github.com/outpost-dev/outpost/blob/main/" + ADMIN;

    /** The labels that Prometheus itself adds. */
    private static final Set<String> ADDED = Set.of("instance", "job", "namespace", "pod");

    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");
    private static final Pattern TEMPLATE = Pattern.compile("\\$labels\\.(\\w+)");

    private static final Map<String, Set<String>> METRICS = documented();

    private static final List<CustomSchemas.PrometheusRule.Rule> ALERTS = Manifests.only(
                    CustomSchemas.PrometheusRule.class,
                    Manifests.read(DeployFolder.ROOT.resolve("monitoring/alerts.yaml")))
            .spec()
            .groups()
            .stream()
            .flatMap(group -> group.rules().stream())
            .toList();

    private static Map<String, Set<String>> documented() {
        String page = page("metrics.md");
        Map<String, Set<String>> metrics = new HashMap<>();
        for (String section : List.of(
                "The backend", "Machines", "Relays", "Model servers and gateways", "Every service but the relay")) {
            metrics.putAll(MetricLabels.documented(page, section));
        }
        return metrics;
    }

    private static String page(String name) {
        return DeployFolder.read(DeployFolder.TREE.resolve(ADMIN).resolve(name));
    }

    /** Returns what is wrong with the metrics and labels of a query. */
    private static List<String> wrong(String query, Stream<String> templates) {
        List<String> wrong = new ArrayList<>();
        Set<String> shown = new TreeSet<>();
        templates.forEach(template -> Stream.of(LEGEND, TEMPLATE)
                .flatMap(pattern -> pattern.matcher(template).results())
                .map(found -> found.group(1))
                .filter(label -> !label.equals("value") && !label.equals("labels"))
                .forEach(shown::add));
        Map<String, Set<String>> queried = MetricLabels.queried(query);
        if (queried.isEmpty()) {
            wrong.add("no metric in " + query);
        }
        queried.forEach((metric, labels) -> {
            Set<String> known = METRICS.get(metric);
            if (known == null) {
                wrong.add(metric + " is not in " + ADMIN + "metrics.md");
                return;
            }
            Set<String> missing = new TreeSet<>(labels);
            missing.addAll(shown);
            missing.removeAll(known);
            missing.removeAll(ADDED);
            missing.forEach(label -> wrong.add(metric + " has no label " + label + " in " + query));
        });
        return wrong;
    }

    @Test
    void wrongMetricsAndLabelsAreFound() {
        assertEquals(List.of(), wrong("sum by (state) (outpost_machines)", Stream.of("{{state}} {{ instance }}")));
        assertEquals(1, wrong("max(outpost_machine)", Stream.of()).size());
        assertEquals(
                1, wrong("max(outpost_machines{phase=\"ready\"})", Stream.of()).size());
        assertEquals(1, wrong("sum by (phase) (outpost_machines)", Stream.of()).size());
        assertEquals(
                1, wrong("outpost_machines", Stream.of("{{ $labels.phase }}")).size());
        assertEquals(1, wrong("1 + 1", Stream.of()).size());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"monitoring/grafana-backend.json", "monitoring/grafana-machines.json", "dashboards/serving.json"
            })
    void panelsShowMetricsThatExist(String file) throws IOException {
        JsonNode dashboard = JsonMapper.builder()
                .build()
                .readTree(DeployFolder.ROOT.resolve(file).toFile());
        Set<Integer> ids = new HashSet<>();
        assertTrue(dashboard.path("panels").size() >= 8, "it has panels");
        for (JsonNode panel : dashboard.path("panels")) {
            String title = panel.path("title").asText();
            assertTrue(ids.add(panel.path("id").asInt()), () -> title + ": another panel has its id");
            assertFalse(panel.path("targets").isEmpty(), title);
            for (JsonNode target : panel.path("targets")) {
                assertEquals(
                        List.of(),
                        wrong(
                                target.path("expr").asText(),
                                Stream.of(target.path("legendFormat").asText())),
                        title);
            }
        }
    }

    @Test
    void alertsUseMetricsThatExist() {
        for (CustomSchemas.PrometheusRule.Rule alert : ALERTS) {
            assertEquals(List.of(), wrong(alert.expr(), alert.annotations().values().stream()), alert::alert);
        }
    }

    /** A renamed section of a page must not leave an alert without its runbook. */
    @Test
    void eachAlertHasASummaryAndARunbook() {
        for (CustomSchemas.PrometheusRule.Rule alert : ALERTS) {
            assertFalse(alert.annotations().getOrDefault("summary", "").isBlank(), alert::alert);
            assertTrue(
                    Set.of("critical", "warning", "info")
                            .contains(alert.labels().get("severity")),
                    alert::alert);
            String link = alert.annotations().getOrDefault("runbook_url", "");
            assertTrue(link.startsWith(RUNBOOKS) && link.contains("#"), () -> alert.alert() + ": " + link);
            String name = link.substring(RUNBOOKS.length(), link.indexOf('#'));
            String anchor = link.substring(link.indexOf('#') + 1);
            assertTrue(anchors(page(name)).contains(anchor), () -> alert.alert() + ": no title is " + link);
        }
    }

    /** The page gives the reason for each threshold, and for no alert that does not exist. */
    @Test
    void thePageExplainsEachAlert() {
        Set<String> explained = new TreeSet<>();
        Matcher names = Pattern.compile("(?m)^\\| (Outpost\\w+) \\|").matcher(page("monitoring.md"));
        while (names.find()) {
            explained.add(names.group(1));
        }
        Set<String> existing = new TreeSet<>();
        ALERTS.forEach(alert -> assertTrue(existing.add(alert.alert()), () -> alert.alert() + " is there twice"));
        assertEquals(existing, explained);
    }

    private static Set<String> anchors(String page) {
        Set<String> anchors = new HashSet<>();
        Matcher titles = Pattern.compile("(?m)^#+ (.*)$").matcher(page);
        while (titles.find()) {
            anchors.add(titles.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9 -]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
