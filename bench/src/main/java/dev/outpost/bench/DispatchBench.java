package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.statistics.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the cost of remote computation: recording, the wire, waiting, bulk transfers, and the start. */
@Command(
        name = "dispatch",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "What recording, the wire, waiting, bulk data and a start cost.")
final class DispatchBench implements Callable<Integer> {
    private static final int ROUNDS = 5;
    private static final int BULK_ROUNDS = 11;
    /** A warm-up of 20 seconds, because a byte passes hundreds of methods, which the JIT compiles one after the other. */
    private static final WarmUp BULK_WARM_UP = new WarmUp(5, 20);

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    @Option(names = "--chains", defaultValue = "200", description = "Chains of 1,000 ops in each end-to-end run.")
    private int chains;

    private final MeasuredFigures figures = new MeasuredFigures();

    @Override
    public Integer call() throws Exception {
        measureStart();
        measureRecording();
        try (BenchmarkedRuntime runtime = BenchmarkedRuntime.start()) {
            measureEndToEnd(runtime);
            measureLatency(runtime);
            measureBulk(runtime);
        }
        figures.print(System.out);
        if (json != null) {
            figures.write(json);
        }
        return 0;
    }

    private void measureStart() throws IOException {
        Median seconds = new Median();
        // The first start includes this program's own warm-up.
        timeStart();
        for (int round = 0; round < ROUNDS; round++) {
            seconds.add(timeStart());
        }
        figures.add("start_to_first_result_s", seconds.value(), "aim: under 1.5");
    }

    private double timeStart() throws IOException {
        long begin = System.nanoTime();
        try (BenchmarkedRuntime runtime = BenchmarkedRuntime.start();
                RemoteMachine machine = RemoteMachine.connect(runtime.endpoint(), runtime.token());
                Tensor sum = machine.ones(16).add(1)) {
            sum.toFloatArray();
            return (System.nanoTime() - begin) / 1e9;
        }
    }

    private void measureRecording() throws RunnerException {
        RecordingCost cost = RecordingCost.measure();
        figures.add("record_ns_per_op", cost.plainNanos(), "aim: under 1,000");
        figures.add("record_autograd_ns_per_op", cost.autogradNanos(), "aim: under 2,000");
    }

    private void measureEndToEnd(BenchmarkedRuntime runtime) {
        try (RemoteMachine machine = RemoteMachine.connect(runtime.endpoint(), runtime.token())) {
            EndToEnd program = new EndToEnd(machine);
            double[] bytes = program.wireBytes();
            figures.add("wire_bytes_per_op", bytes[0], "aim: under 64");
            figures.add("wire_bytes_per_repeated_op", bytes[1], "aim: at most 2");
            figures.add("waits_per_1000_ops", program.waits(), "aim: 1, one for each look");
            Median speed = new Median();
            for (int round = 0; round < ROUNDS; round++) {
                speed.add(program.opsPerSecond(chains));
            }
            figures.add("ops_per_second", speed.value(), "");
        }
    }

    /** Measures the throughput with a run so long that the round trip of its one read does not matter. */
    private double throughput(RemoteMachine machine) {
        return new EndToEnd(machine).opsPerSecond(8 * chains);
    }

    /** Measures each delay between two runs without a delay, because the host's own speed changes during the measurement. */
    private void measureLatency(BenchmarkedRuntime runtime) throws IOException {
        try (DelayProxy none = new DelayProxy(runtime.host(), runtime.port(), 0);
                DelayProxy near = new DelayProxy(runtime.host(), runtime.port(), 1);
                DelayProxy far = new DelayProxy(runtime.host(), runtime.port(), 20);
                RemoteMachine here = RemoteMachine.connect(none.endpoint(), runtime.token());
                RemoteMachine there = RemoteMachine.connect(near.endpoint(), runtime.token());
                RemoteMachine away = RemoteMachine.connect(far.endpoint(), runtime.token())) {
            Median ratioNear = new Median();
            Median ratioFar = new Median();
            // The first run of each warms it up.
            List.of(here, there, away).forEach(machine -> new EndToEnd(machine).opsPerSecond(chains));
            double before = throughput(here);
            for (int round = 0; round < ROUNDS; round++) {
                double atNear = throughput(there);
                double between = throughput(here);
                ratioNear.add(2 * atNear / (before + between));
                double atFar = throughput(away);
                before = throughput(here);
                ratioFar.add(2 * atFar / (between + before));
            }
            figures.add("throughput_1ms", ratioNear.value(), "of that at 0 ms");
            figures.add("throughput_20ms", ratioFar.value(), "of that at 0 ms; aim: 0.95");
        }
    }

    private void measureBulk(BenchmarkedRuntime runtime) throws IOException, InterruptedException {
        try (RawStream raw = new RawStream();
                RemoteMachine machine = RemoteMachine.connect(runtime.endpoint(), runtime.token())) {
            Bulk bulk = new Bulk(machine);
            new BulkRace(bulk, raw).warmUp(BULK_WARM_UP);
            BulkRace race = new BulkRace(bulk, raw);
            race.run(BULK_ROUNDS);
            race.addTo(figures);
        }
    }
}
