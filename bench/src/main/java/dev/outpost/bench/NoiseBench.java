package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how long a small program waits for its answers while others use the same machine. */
@Command(name = "noise", description = "Measure a victim's answers beside aggressors on one machine.")
final class NoiseBench implements Callable<Integer> {
    private static final int SIDE = 64;
    private static final double NANOS_A_MILLI = 1e6;

    @Option(names = "--answers", defaultValue = "300", description = "Answers that the victim waits for; 300.")
    private int answers;

    @Option(
            names = "--aggressors",
            split = ",",
            defaultValue = "0,1,3,7",
            description = "How many at once, each in turn; 0,1,3,7.")
    private List<Integer> numbers;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.println("kind      aggressors    p50 ms    p99 ms");
        for (Aggressor.Kind kind : Aggressor.Kind.values()) {
            for (int number : numbers) {
                double[] times = measure(kind, number);
                out.printf(
                        Locale.ROOT,
                        "%-9s %10d %9.2f %9.2f%n",
                        kind.name().toLowerCase(Locale.ROOT),
                        number,
                        quantile(times, 0.5),
                        quantile(times, 0.99));
                out.flush();
            }
        }
        return 0;
    }

    /** Measures on a new machine for each line, so that no line inherits plans or memory of another one. */
    private double[] measure(Aggressor.Kind kind, int number) throws IOException {
        List<Aggressor> aggressors = new ArrayList<>();
        try (BenchmarkedRuntime runtime = BenchmarkedRuntime.start();
                RemoteMachine victim = RemoteMachine.connect(runtime.endpoint(), runtime.token())) {
            try {
                times(victim);
                for (int i = 0; i < number; i++) {
                    aggressors.add(new Aggressor(kind, runtime));
                }
                return times(victim);
            } finally {
                aggressors.forEach(Aggressor::close);
            }
        }
    }

    private double[] times(RemoteMachine victim) {
        double[] times = new double[answers];
        try (Tensor x = victim.ones(SIDE, SIDE)) {
            for (int i = 0; i < answers; i++) {
                long start = System.nanoTime();
                try (Tensor y = x.matmul(x)) {
                    y.sum().itemDouble();
                }
                times[i] = (System.nanoTime() - start) / NANOS_A_MILLI;
            }
        }
        Arrays.sort(times);
        return times;
    }

    private static double quantile(double[] sorted, double part) {
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
