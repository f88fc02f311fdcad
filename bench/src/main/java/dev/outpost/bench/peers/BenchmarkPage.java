package dev.outpost.bench.peers;

import dev.outpost.bench.peers.contestant.Contestant;
import dev.outpost.bench.peers.contestant.Djl;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * docs/benchmarks-peers.md: the table, and the conditions of the measurement.
 *
 * @param python the version of PyTorch in Python, if it is installed
 */
public record BenchmarkPage(String table, Optional<String> python, int repetitions, int warmUp, double warmUpSeconds) {
    private static final double GIBIBYTE = 1 << 30;

    public String text() throws IOException {
        return """
                # Benchmarks

                `./outpost bench peers --docs` wrote this page on %s.

                %s

                Outpost computes in another process on the same cores, over gRPC with TLS. The peers compute eagerly in their own \
                process. A ratio is the peer's time divided by Outpost's time. If it is above 1, Outpost is faster. Outpost has three \
                columns:

                - `eager`: plain code.
                - `scoped`: the same code inside `machine.scope()`. Use this column for comparisons.
                - `program`: the same code as a program that was traced once.

                A figure is the median of %d repetitions of two runs each. All sides run alternately. For training, a figure is the \
                time of one step. Before each pair of runs, one run is not timed, because the other sides have run since the last \
                pair. Each side is warmed up separately until its speed no longer increases. This is the case if the median of 3 s is \
                less than 3 %% below the best time, three times in a row. The warm-up has at least %d runs and takes at least %.0f s, \
                and takes at most a minute.

                Every run has its own inputs. They are in memory on each side before the clock starts. Each run keeps the whole \
                result. It reads a result of up to %d elements completely, and the sum of a larger result. In eager and scoped code, \
                Outpost does not write such a large result to memory, because only its sum is read. A program and the peers write it. \
                Before the measurements, the results of all sides are compared completely.

                `mlp-adam-at-20-ms` has 2,000 steps, which process 500 batches four times. The program reads their results after it \
                has recorded all steps. This compares a distant machine with a near machine, both behind the same proxy.

                %s""".formatted(LocalDate.now(), machine(), repetitions, warmUp, warmUpSeconds, Contestant.LOOK, table);
    }

    private String machine() throws IOException {
        return """
                - Machine: %s, %d cores, %.0f GiB, %s %s
                - Java %s (%s)
                - %s
                - PyTorch from Python: %s%s""".formatted(
                        processor(),
                        Runtime.getRuntime().availableProcessors(),
                        memory() / GIBIBYTE,
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"),
                        System.getProperty("java.vendor"),
                        Djl.versions(),
                        python.orElse("not installed, so not compared"),
                        kernels());
    }

    /**
     * Returns the OpenBLAS kernels that the environment forces, if any. On a newer processor they are slower than the best
     * ones.
     */
    private static String kernels() {
        String named = System.getenv("OPENBLAS_CORETYPE");
        return named == null
                ? ""
                : "\n- OpenBLAS, ours and called directly: kernels for " + named + ", as OPENBLAS_CORETYPE says";
    }

    private static long memory() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
    }

    /** Returns the processor. The name of a model alone often covers ten years of processors. */
    private static String processor() throws IOException {
        Path described = Path.of("/proc/cpuinfo");
        if (!Files.exists(described)) {
            return "processor unknown";
        }
        Map<String, String> first = new HashMap<>();
        for (String line : Files.readAllLines(described)) {
            String[] pair = line.split(":", 2);
            if (pair.length == 2) {
                first.putIfAbsent(pair[0].strip(), pair[1].strip());
            }
        }
        String name = first.getOrDefault("model name", "processor unknown");
        return first.containsKey("cpu family")
                ? name + " (family " + first.get("cpu family") + ", model " + first.get("model") + ")"
                : name;
    }
}
