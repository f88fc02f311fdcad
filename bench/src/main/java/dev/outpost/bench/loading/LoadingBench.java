package dev.outpost.bench.loading;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.bench.serving.RandomModel;
import dev.outpost.bench.statistics.Median;
import dev.outpost.examples.models.LocalStore;
import dev.outpost.source.Source;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares loading weights from an object store in this JVM into a machine's memory with plain range requests for the same
 * file. The two take turns; the result is the medians.
 */
@Command(
        name = "loading",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Loading: weights from an S3 server in this JVM, beside plain ranged requests to it.")
public final class LoadingBench implements Callable<Integer> {
    @Option(
            names = "--layers",
            defaultValue = "30",
            description = "Of the model, which has the shape of SmolLM2-135M with 30.")
    private int layers;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured ones.")
    private int rounds;

    @Override
    public Integer call() throws Exception {
        try (TemporaryFolder folder = new TemporaryFolder("loading");
                LocalStore store = LocalStore.start(folder.path(), "models")) {
            Path model = Files.createDirectories(folder.path().resolve("models").resolve("random"));
            new RandomModel(layers).write(model);
            measure(
                    store.address().resolve("/models/random/model.safetensors"),
                    Files.size(model.resolve("model.safetensors")));
        }
        return 0;
    }

    private void measure(URI file, long bytes) throws InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%.0f MB, %d processors, load %.1f%n",
                bytes / 1e6,
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        Median raw = new Median();
        Median ours = new Median();
        try (RawRanges ranges = new RawRanges(file, bytes)) {
            for (int round = 0; round <= rounds; round++) {
                double plain = bytes * 1e9 / ranges.run();
                double loaded = load();
                // The first round warms up the store and both clients.
                if (round > 0) {
                    raw.add(plain);
                    ours.add(loaded);
                    System.out.printf(
                            Locale.ROOT,
                            "ranged requests %.2f GB/s, loading %.2f GB/s, %.0f %%%n",
                            plain / 1e9,
                            loaded / 1e9,
                            100 * loaded / plain);
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "median: ranged requests %.2f GB/s, loading %.2f GB/s, %.0f %% of it%n",
                raw.value() / 1e9,
                ours.value() / 1e9,
                100 * ours.value() / raw.value());
    }

    /** Returns the bytes per second from the first request to the last tensor, including the time to open the source. */
    private static double load() {
        try (RemoteMachine machine =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "s3://models"))) {
            machine.awaitReady();
            long before = machine.stats().bytesIn() + machine.stats().bytesOut();
            long begin = System.nanoTime();
            Source source = machine.open("s3://models/random");
            List<Tensor> weights = List.copyOf(source.loadStateDict().values());
            long nanos = System.nanoTime() - begin;
            long passed = machine.stats().bytesIn() + machine.stats().bytesOut() - before;
            long bytes = source.progress().bytes();
            weights.forEach(Tensor::close);
            if (passed > bytes / 100) {
                throw new IllegalStateException(passed + " bytes passed through the client");
            }
            return bytes * 1e9 / nanos;
        }
    }
}
