package dev.outpost.support.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricLabelsTest {
    @Test
    void samplesHaveNamesAndLabels() {
        assertEquals(
                Map.of("a_total", Set.of("kind", "uri"), "vllm:b", Set.of(), "c", Set.of("state")),
                MetricLabels.exported("""
                        # HELP a_total Something {other="x"} 1
                        # TYPE a_total counter
                        a_total{kind="x",uri="/v1/{id: [^/:]+}"} 1.0
                        a_total{kind="y",uri="/a \\"quoted=\\" b"} NaN
                        vllm:b 2.0
                        c{state="live"} +Inf
                        """));
    }

    @Test
    void rowsOfOneSectionAreRead() {
        String page = """
                # Metrics

                ## One

                | metric | labels | meaning |
                |---|---|---|
                | `a` | `x`, `y` | with `code` |
                | `b` | | nothing |

                ## Two

                | `c` | `z` | other |
                """;
        assertEquals(Map.of("a", Set.of("x", "y"), "b", Set.of()), MetricLabels.documented(page, "One"));
        assertEquals(Map.of("c", Set.of("z")), MetricLabels.documented(page, "Two"));
        assertThrows(IllegalArgumentException.class, () -> MetricLabels.documented(page, "Three"));
    }

    @Test
    void queriesUseTheLabelsBySelectionAndByGrouping() {
        assertEquals(
                Map.of("a_total", Set.of("outcome", "command"), "b", Set.of("command")),
                MetricLabels.queried(
                        "sum by (command) (rate(a_total{outcome=\"failed\"}[10m])) > 0.5 * sum(b) and 1e9"));
        assertEquals(
                Map.of("a", Set.of()), MetricLabels.queried("count(a) < quantile_over_time(0.5, count(a)[1h:1m])"));
        assertEquals(Map.of("a", Set.of()), MetricLabels.queried("min(a) - time() < 14 * 24 * 3600"));
        assertEquals(
                Map.of("vllm:x_bucket", Set.of("le", "model_name")),
                MetricLabels.queried(
                        "histogram_quantile(0.95, sum by (le, model_name) (rate(vllm:x_bucket{model_name=~\"$model\"}[$__rate_interval])))"));
    }
}
