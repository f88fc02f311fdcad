package dev.outpost.bench;

import dev.outpost.bench.statistics.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The cost of a start on Kubernetes besides the cluster's own time, against the cluster of the tests. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = "What Outpost itself adds to the start of a machine on Kubernetes, with everything warm.")
final class StartBench implements Callable<Integer> {
    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    @Option(
            names = "--rounds",
            defaultValue = "20",
            description = "Machines that are started and measured; ${DEFAULT-VALUE} unless given.")
    private int rounds;

    @Option(
            names = "--warm-up",
            defaultValue = "10",
            description = "Machines that are started before; ${DEFAULT-VALUE} unless given.")
    private int warmUp;

    @Override
    public Integer call() throws IOException {
        Median untilPod = new Median();
        Median afterReady = new Median();
        Median first = new Median();
        try (WatchedStarts starts = new WatchedStarts()) {
            first.add(starts.start().untilPod());
            for (int round = 0; round < warmUp; round++) {
                starts.start();
            }
            for (int round = 0; round < rounds; round++) {
                WatchedStarts.Times times = starts.start();
                untilPod.add(times.untilPod());
                afterReady.add(times.fromReadyToResult());
            }
        }
        Figures figures = new Figures();
        figures.add("of_to_pod_created_ms", untilPod.value(), "aim: under 300");
        figures.add("pod_ready_to_first_result_ms", afterReady.value(), "aim: under 150");
        figures.add("of_to_pod_created_cold_ms", first.value(), "the first of a program: classes are loaded");
        figures.print(System.out);
        if (json != null) {
            figures.write(json);
        }
        return 0;
    }
}
