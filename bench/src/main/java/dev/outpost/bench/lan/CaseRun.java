package dev.outpost.bench.lan;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.onnx.ModelOutputs;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.OnnxPipelineOptions;
import dev.outpost.onnx.type.TransferPrecision;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Measures a model over workers. */
final class CaseRun {
    private static final int WARM_UP = 5;
    /** The time for which new workers compute before the measurement, because a JIT needs it. */
    private static final Duration WARMING = Duration.ofSeconds(25);

    /** The time for which the workers of a case compute before it, in addition to the warm-up. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final BenchHosts hosts;
    private final int batches;
    private final Map<String, HostTensor> inputs = Map.of("x0", ChainModel.input());
    private float[] exact;

    /**
     * The planned and the measured figures of a case.
     *
     * @param planSeconds planned seconds between batches
     * @param seconds measured seconds between batches
     * @param planLatency planned latency of a batch, in seconds
     * @param latency measured latency of a batch, in seconds
     * @param bytes bytes that the last worker received for each batch, counted by the kernel
     * @param error the largest difference from the exact output, relative to its largest element
     */
    record Measured(
            double planSeconds, double seconds, double planLatency, double latency, double bytes, double error) {}

    /** @param batches number of batches in a measurement */
    CaseRun(BenchHosts hosts, int batches) {
        this.hosts = hosts;
        this.batches = batches;
    }

    /** Measures the model over the first {@code count} hosts. */
    Measured measure(int count, TransferPrecision precision) throws IOException {
        List<RemoteMachine> machines =
                hosts.workers(count).stream().map(BenchWorker::connect).toList();
        try {
            hosts.unlimit();
            settle(machines, precision, SETTLING);
            if (exact == null && precision != TransferPrecision.EXACT) {
                exact = exact(machines);
            }
            // Workers are calibrated under the same limit as in the measurement.
            hosts.limit();
            return measure(machines, precision);
        } finally {
            machines.forEach(RemoteMachine::close);
        }
    }

    /** Lets the first {@code count} hosts compute until their code is compiled. */
    void warmUp(int count) {
        List<RemoteMachine> machines =
                hosts.workers(count).stream().map(BenchWorker::connect).toList();
        try {
            settle(machines, TransferPrecision.EXACT, WARMING);
        } finally {
            machines.forEach(RemoteMachine::close);
        }
    }

    private void settle(List<RemoteMachine> machines, TransferPrecision precision, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        try (OnnxPipeline pipeline = open(machines, precision)) {
            Stream<Map<String, HostTensor>> given =
                    Stream.generate(() -> inputs).takeWhile(each -> System.nanoTime() < end);
            pipeline.runAll(given).forEach(ModelOutputs::tensors);
        }
    }

    private float[] exact(List<RemoteMachine> machines) {
        try (OnnxPipeline pipeline = open(machines, TransferPrecision.EXACT)) {
            return output(pipeline);
        }
    }

    private static OnnxPipeline open(List<RemoteMachine> machines, TransferPrecision precision) {
        return OnnxPipeline.over(
                machines,
                ChainModel.model(),
                new OnnxPipelineOptions().precision(precision).stages(machines.size()));
    }

    private Measured measure(List<RemoteMachine> machines, TransferPrecision precision) throws IOException {
        try (OnnxPipeline pipeline = open(machines, precision)) {
            float[] output = new float[0];
            for (int batch = 0; batch < WARM_UP; batch++) {
                output = output(pipeline);
            }
            exact = precision == TransferPrecision.EXACT ? output : exact;
            double latency = latency(pipeline);
            int last = machines.size() - 1;
            long before = hosts.received(last);
            double each = secondsOfABatch(pipeline);
            double received = (double) (hosts.received(last) - before) / batches;
            return new Measured(
                    pipeline.plan().bottleneckSeconds(),
                    each,
                    pipeline.plan().latencySeconds(),
                    latency,
                    received,
                    error(output));
        }
    }

    private float[] output(OnnxPipeline pipeline) {
        return pipeline.run(inputs).tensors().lastEntry().getValue().toFloatArray();
    }

    private double latency(OnnxPipeline pipeline) {
        double min = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < WARM_UP; batch++) {
            long start = System.nanoTime();
            pipeline.run(inputs);
            min = Math.min(min, (System.nanoTime() - start) * 1e-9);
        }
        return min;
    }

    private double secondsOfABatch(OnnxPipeline pipeline) {
        long start = System.nanoTime();
        long done =
                pipeline.runAll(Stream.generate(() -> inputs).limit(batches)).count();
        return (System.nanoTime() - start) * 1e-9 / done;
    }

    private double error(float[] output) {
        double largest = 0;
        double size = 0;
        for (int place = 0; place < output.length; place++) {
            largest = Math.max(largest, Math.abs(output[place] - exact[place]));
            size = Math.max(size, Math.abs(exact[place]));
        }
        return largest / size;
    }
}
