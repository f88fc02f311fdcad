package dev.outpost.cli.lan;

import dev.outpost.HostTensor;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.plan.Amounts;
import dev.outpost.onnx.plan.PipelinePlan;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Measures a pipeline beside what its plan says. */
final class PipelineBench {
    private static final int WARM_UP = 5;

    private PipelineBench() {}

    static List<String> measure(OnnxPipeline pipeline, Map<String, HostTensor> inputs, int batches) {
        for (int batch = 0; batch < WARM_UP; batch++) {
            pipeline.run(inputs);
        }
        double latency = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < WARM_UP; batch++) {
            long start = System.nanoTime();
            pipeline.run(inputs);
            latency = Math.min(latency, (System.nanoTime() - start) * 1e-9);
        }
        long start = System.nanoTime();
        long done =
                pipeline.runAll(Stream.generate(() -> inputs).limit(batches)).count();
        double each = (System.nanoTime() - start) * 1e-9 / done;
        PipelinePlan plan = pipeline.plan();
        return List.of(
                plan.explain(),
                String.format(
                        Locale.ROOT,
                        "measured: a batch every %s (%.1f a second), %s from end to end",
                        Amounts.seconds(each),
                        1 / each,
                        Amounts.seconds(latency)));
    }
}
