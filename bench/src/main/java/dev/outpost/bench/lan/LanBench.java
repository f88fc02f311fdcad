package dev.outpost.bench.lan;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.onnx.OnnxPipeline;
import dev.outpost.onnx.PipelineOptions;
import dev.outpost.onnx.plan.PipelinePlan;
import dev.outpost.onnx.type.Precision;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A model on one worker and cut over several, behind links of a given rate: what the plan predicts, what is measured, what the kernel
 * counts on the wire, and what shorter activations change in the result.
 */
@Command(
        name = "lan",
        mixinStandardHelpOptions = true,
        description = "Workers in network namespaces behind throttled links, beside what their plans predict.")
public final class LanBench implements Callable<Integer> {
    private static final int WARM_UP = 3;

    @Option(names = "--workers", defaultValue = "2", description = "At most; ${DEFAULT-VALUE} unless given.")
    private int most;

    @Option(
            names = "--megabits",
            split = ",",
            defaultValue = "0,1000,100",
            description = "Rates of the links, 0 for no limit; ${DEFAULT-VALUE} unless given.")
    private List<Integer> rates;

    @Option(
            names = "--delay",
            paramLabel = "MILLIS",
            defaultValue = "0",
            description = "What each link adds to the way of a frame; ${DEFAULT-VALUE} unless given.")
    private long delayMillis;

    @Option(names = "--batches", defaultValue = "20", description = "Of a measurement; ${DEFAULT-VALUE} unless given.")
    private int batches;

    private final Map<String, HostTensor> inputs = Map.of("x0", ChainModel.input());
    private float[] exact;

    @Override
    public Integer call() throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        System.out.printf(
                Locale.ROOT,
                "%d processors, load %.1f; links add %d ms; %d x %d floats cross each cut%n",
                processors,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                delayMillis,
                ChainModel.ROWS,
                ChainModel.WIDTH);
        System.out.printf(
                "%-10s %-8s %-8s %12s %12s %7s %12s %12s %12s %12s%n",
                "Mbit/s",
                "workers",
                "travels",
                "plan ms",
                "batch ms",
                "ratio",
                "plan e2e ms",
                "e2e ms",
                "KiB/batch",
                "error");
        List<BenchWorker> workers = new ArrayList<>();
        try (BridgedNetwork network = BridgedNetwork.open(most, Duration.ofMillis(delayMillis))) {
            for (int host = 0; host < most; host++) {
                workers.add(BenchWorker.start(host, processors));
            }
            for (int rate : rates) {
                network.limit(rate);
                measure(network, workers, rate);
            }
        } finally {
            workers.forEach(BenchWorker::close);
        }
        return 0;
    }

    private void measure(BridgedNetwork network, List<BenchWorker> workers, int rate) throws IOException {
        row(network, workers.subList(0, 1), rate, Precision.EXACT);
        for (int count = 2; count <= workers.size(); count++) {
            for (Precision precision : precisions(count)) {
                row(network, workers.subList(0, count), rate, precision);
            }
        }
    }

    /** Shorter activations are measured with the fewest workers and with the most. */
    private List<Precision> precisions(int count) {
        return count == 2 || count == most
                ? List.of(Precision.EXACT, Precision.INT8, Precision.INT4)
                : List.of(Precision.EXACT);
    }

    private void row(BridgedNetwork network, List<BenchWorker> workers, int rate, Precision precision)
            throws IOException {
        List<RemoteMachine> machines =
                workers.stream().map(BenchWorker::connect).toList();
        try (OnnxPipeline pipeline = OnnxPipeline.over(
                machines,
                ChainModel.model(),
                new PipelineOptions().precision(precision).stages(workers.size()))) {
            float[] output = new float[0];
            for (int batch = 0; batch < WARM_UP; batch++) {
                output = output(pipeline);
            }
            exact = precision == Precision.EXACT ? output : exact;
            double latency = latency(pipeline);
            long before = network.received(workers.size() - 1);
            double each = secondsOfABatch(pipeline);
            long received = network.received(workers.size() - 1) - before;
            print(pipeline.plan(), workers.size(), rate, precision, each, latency, received, error(output));
        } finally {
            machines.forEach(RemoteMachine::close);
        }
    }

    private float[] output(OnnxPipeline pipeline) {
        return pipeline.run(inputs).tensors().lastEntry().getValue().toFloatArray();
    }

    private double latency(OnnxPipeline pipeline) {
        double least = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < WARM_UP; batch++) {
            long start = System.nanoTime();
            pipeline.run(inputs);
            least = Math.min(least, (System.nanoTime() - start) * 1e-9);
        }
        return least;
    }

    private double secondsOfABatch(OnnxPipeline pipeline) {
        long start = System.nanoTime();
        long done =
                pipeline.runAll(Stream.generate(() -> inputs).limit(batches)).count();
        return (System.nanoTime() - start) * 1e-9 / done;
    }

    /** Of all elements, the largest difference from the exact output in relation to its largest element. */
    private double error(float[] output) {
        double largest = 0;
        double size = 0;
        for (int place = 0; place < output.length; place++) {
            largest = Math.max(largest, Math.abs(output[place] - exact[place]));
            size = Math.max(size, Math.abs(exact[place]));
        }
        return largest / size;
    }

    private void print(
            PipelinePlan plan,
            int workers,
            int rate,
            Precision precision,
            double each,
            double latency,
            long received,
            double error) {
        System.out.printf(
                Locale.ROOT,
                "%-10s %-8d %-8s %12.1f %12.1f %7.2f %12.1f %12.1f %12.1f %12.2g%n",
                rate == 0 ? "no limit" : Integer.toString(rate),
                workers,
                precision.name().toLowerCase(Locale.ROOT),
                plan.bottleneckSeconds() * 1e3,
                each * 1e3,
                each / plan.bottleneckSeconds(),
                plan.latencySeconds() * 1e3,
                latency * 1e3,
                received / 1024.0 / batches,
                error);
    }
}
