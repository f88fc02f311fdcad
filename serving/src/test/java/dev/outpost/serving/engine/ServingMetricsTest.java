package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.inference.BatchListener;
import dev.outpost.inference.Finish;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
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

    private static double count(SimpleMeterRegistry registry, String meter) {
        return registry.get(meter).tag("model_name", "text").functionCounter().count();
    }
}
