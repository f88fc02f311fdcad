package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.bench.peers.workload.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures limits without a peer: how close recording, the wire, kernels and memory are to the best possible values. */
@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description = "Recording, the wire, bandwidth, memory and the engine's share, each beside its limit.")
final class LimitsBench implements Callable<Integer> {
    private static final int ROUNDS = 15;
    private static final WarmUp WARM_UP = new WarmUp(5, 10);

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    private final MeasuredFigures figures = new MeasuredFigures();

    @Override
    public Integer call() throws Exception {
        measureRecording();
        try (BenchmarkedRuntime runtime = BenchmarkedRuntime.start()) {
            measureWire(runtime);
            measureBandwidth(runtime);
            TrainingPeaks.addTo(figures);
            measureEngineShare(runtime);
        }
        figures.print(System.out);
        if (json != null) {
            figures.write(json);
        }
        return 0;
    }

    private void measureRecording() throws RunnerException {
        RecordingCost cost = RecordingCost.measure();
        figures.add("record_ns_per_op", cost.plainNanos(), "aim: at most 500");
        figures.add("record_autograd_ns_per_op", cost.autogradNanos(), "");
    }

    private void measureWire(BenchmarkedRuntime runtime) {
        try (RemoteMachine machine = connect(runtime)) {
            figures.add("wire_bytes_per_repeated_op", new EndToEnd(machine).wireBytes()[1], "aim: at most 2");
        }
    }

    private void measureBandwidth(BenchmarkedRuntime runtime) throws IOException {
        try (RemoteMachine machine = connect(runtime)) {
            FusedBandwidth bandwidth = new FusedBandwidth(machine);
            bandwidth.measure(WARM_UP, ROUNDS);
            bandwidth.addTo(figures);
        }
    }

    private void measureEngineShare(BenchmarkedRuntime runtime) {
        try (RemoteMachine machine = connect(runtime)) {
            double share = new EngineShare(machine, Suite.MLP).measure(WARM_UP, ROUNDS);
            figures.add("engine_share_" + Suite.MLP.name(), share, "aim: at least 0.8");
        }
    }

    private static RemoteMachine connect(BenchmarkedRuntime runtime) {
        return RemoteMachine.connect(runtime.endpoint(), runtime.token());
    }
}
