package dev.outpost.bench;

import dev.outpost.bench.statistics.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the cost of a start on Kubernetes. Without a machine it uses the cluster of the tests, which takes almost no time
 * of its own. With a machine, it measures the phases of a start there.
 */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "What Outpost itself adds to the start of a machine on Kubernetes, with everything warm; "
                + "with --machine, how long each part of a start takes there.")
final class StartBench implements Callable<Integer> {
    @Option(
            names = "--machine",
            paramLabel = "PROVIDER:GPU",
            description =
                    "Start machines there, such as k8s:any or outpost:A100, the first of them from a JVM that just started.")
    private String machine;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    @Option(names = "--rounds", defaultValue = "20", description = "Machines that are started and measured.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "10", description = "Machines that are started before.")
    private int warmUp;

    @Override
    public Integer call() throws IOException {
        MeasuredFigures figures = machine == null ? ofTestCluster() : ofMachine();
        figures.print(System.out);
        if (json != null) {
            figures.write(json);
        }
        return 0;
    }

    private MeasuredFigures ofMachine() {
        String[] name = machine.split(":", 2);
        if (name.length < 2) {
            throw new IllegalArgumentException("--machine: expected PROVIDER:GPU, got \"" + machine + "\"");
        }
        double jvm = MeasuredStart.sinceJvmStarted();
        MeasuredStart cold = MeasuredStart.of(name[0], name[1]);
        Map<String, Median> warm = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            parts(MeasuredStart.of(name[0], name[1]))
                    .forEach((part, time) ->
                            warm.computeIfAbsent(part, one -> new Median()).add(time));
        }
        MeasuredFigures figures = new MeasuredFigures();
        figures.add("jvm_to_request_ms", jvm, "");
        parts(cold).forEach((part, time) -> figures.add(part, time, ""));
        figures.add("jvm_to_first_result_ms", jvm + cold.untilResult(), "aim: under 5,000; from a pool under 2,000");
        warm.forEach((part, time) -> figures.add("warm_" + part, time.value(), ""));
        return figures;
    }

    private static Map<String, Double> parts(MeasuredStart start) {
        Map<String, Double> parts = new LinkedHashMap<>();
        start.phases()
                .forEach((phase, time) ->
                        parts.put("request_to_" + phase.name().toLowerCase(Locale.ROOT) + "_ms", time));
        parts.put("request_to_opened_ms", start.untilOpened());
        parts.put("request_to_first_result_ms", start.untilResult());
        parts.put("closing_ms", start.closing());
        return parts;
    }

    private MeasuredFigures ofTestCluster() {
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
        MeasuredFigures figures = new MeasuredFigures();
        figures.add("of_to_pod_created_ms", untilPod.value(), "aim: under 300");
        figures.add("pod_ready_to_first_result_ms", afterReady.value(), "aim: under 150");
        figures.add("of_to_pod_created_cold_ms", first.value(), "the first of a program: classes are loaded");
        return figures;
    }
}
