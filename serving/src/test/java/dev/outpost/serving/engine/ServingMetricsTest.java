package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.inference.BatchListener;
import dev.outpost.inference.Finish;
import dev.outpost.support.tests.MetricLabels;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServingMetricsTest {
    /** The registry has only weak references to the objects that it reads. */
    @Test
    void countersOutliveACollection() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ServingMetrics metrics = new ServingMetrics(registry);
        metrics.bind(List.of("text"), name -> Optional.empty());
        BatchListener listener = metrics.listener("text");
        listener.firstToken(1);
        listener.nextToken(1);
        listener.finished(new Finish(Finish.Reason.STOP, 7, 3, 2), 1);
        System.gc();
        assertEquals(2, count(registry, "vllm:generation_tokens"));
        assertEquals(7, count(registry, "vllm:prompt_tokens"));
        assertEquals(7, count(registry, "vllm:prefix_cache_queries"));
        assertEquals(3, count(registry, "vllm:prefix_cache_hits"));
    }

    /** A histogram stands in the page by its buckets only. Quarkus uses the registry that Micrometer calls deprecated. */
    @Test
    @SuppressWarnings("deprecation")
    void thePageForOperatorsListsTheMetrics() throws IOException {
        var registry =
                new io.micrometer.prometheus.PrometheusMeterRegistry(io.micrometer.prometheus.PrometheusConfig.DEFAULT);
        ServingMetrics metrics = new ServingMetrics(registry);
        metrics.bind(List.of("text"), name -> Optional.empty());
        metrics.listener("text").finished(new Finish(Finish.Reason.STOP, 7, 3, 2), 1);
        Map<String, Set<String>> exported = MetricLabels.exported(registry.scrape());
        exported.keySet().removeIf(name -> name.matches(".*_seconds_(count|sum|max)"));
        String page =
                Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "admin", "metrics.md"));
        assertEquals(MetricLabels.documented(page, "Model servers and gateways"), exported);
    }

    private static double count(SimpleMeterRegistry registry, String meter) {
        return registry.get(meter).tag("model_name", "text").functionCounter().count();
    }
}
