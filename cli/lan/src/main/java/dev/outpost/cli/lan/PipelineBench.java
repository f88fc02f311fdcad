package dev.outpost.cli.lan;

import dev.outpost.HostTensor;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.plan.QuantityFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures a pipeline and compares it with its plan. */
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
                sent(plan),
                String.format(
                        Locale.ROOT,
                        "measured: a batch every %s (%.1f a second), %s from end to end",
                        QuantityFormat.seconds(each),
                        1 / each,
                        QuantityFormat.seconds(latency)));
    }

    private static String sent(PipelinePlan plan) {
        return plan.stages().stream()
                .map(stage -> plan.workers().get(stage.worker()).name() + " " + QuantityFormat.bytes(stage.outBytes()))
                .collect(Collectors.joining(", ", "sent on, for the shapes that the model was divided for: ", ""));
    }

    /** Returns a line for each output: its largest difference from the exact output, relative to the largest element of the exact one. */
    static List<String> effect(Map<String, HostTensor> rounded, Map<String, HostTensor> exact) {
        return exact.entrySet().stream()
                .filter(each -> each.getValue().dtype().isFloating())
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s differs from the exact one by at most %.2g of its largest element",
                        each.getKey(),
                        difference(
                                rounded.get(each.getKey()).toDoubleArray(),
                                each.getValue().toDoubleArray())))
                .toList();
    }

    private static double difference(double[] rounded, double[] exact) {
        double largest = 0;
        double size = Double.MIN_NORMAL;
        for (int place = 0; place < exact.length; place++) {
            largest = Math.max(largest, Math.abs(rounded[place] - exact[place]));
            size = Math.max(size, Math.abs(exact[place]));
        }
        return largest / size;
    }
}
