package dev.outpost.bench.loading;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.statistics.Median;
import dev.outpost.data.DataLoader;
import dev.outpost.data.Dataset;
import dev.outpost.data.Example;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.AdamW;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares training from a throttled store with the same steps alone. The store lets each batch wait as long as a step takes. Rounds take
 * turns; the result is the median of their quotients.
 */
@Command(
        name = "data",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Data: training from a store whose batches wait as long as a step takes, beside the steps alone.")
public final class DataLoaderBench implements Callable<Integer> {
    private static final int EXAMPLES = 256;
    private static final int CLASSES = 10;
    private static final int DEFAULT = -1;

    @Option(names = "--steps", defaultValue = "60", description = "Steps of a round.")
    private int steps;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured ones.")
    private int rounds;

    @Option(
            names = "--width",
            defaultValue = "1024",
            description = "Of the model's layers, which decides the time of a step.")
    private int width;

    @Override
    public Integer call() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any")) {
            machine.manualSeed(0);
            Sequential model =
                    new Sequential(new Linear(width, width), new ReLU(), new Linear(width, CLASSES)).to(machine);
            AdamW optimizer = new AdamW(model.parameters(), 1e-4);
            Example batch = batch();
            double alone = steps(machine, model, optimizer, batch);
            alone = steps(machine, model, optimizer, batch);
            System.out.printf(
                    Locale.ROOT,
                    "a step takes %.1f ms, %d processors, load %.1f%n",
                    1e3 * alone / steps,
                    Runtime.getRuntime().availableProcessors(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            for (int ahead : new int[] {0, DEFAULT, 2, 4}) {
                measure(machine, model, optimizer, batch, ahead);
            }
        }
        return 0;
    }

    private void measure(RemoteMachine machine, Sequential model, AdamW optimizer, Example batch, int ahead) {
        Median shares = new Median();
        for (int round = 0; round < rounds; round++) {
            double alone = steps(machine, model, optimizer, batch);
            long wait = (long) (1e9 * alone / steps);
            Dataset<Example> store = Dataset.of(steps, index -> {
                LockSupport.parkNanos(wait);
                return batch;
            });
            long begun = System.nanoTime();
            DataLoader<Example> loader = new DataLoader<>(store, 1, elements -> elements.getFirst());
            for (Example loaded : ahead == DEFAULT ? loader : loader.prefetch(ahead)) {
                step(machine, model, optimizer, loaded);
            }
            shares.add(alone * 1e9 / (System.nanoTime() - begun));
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f of the speed of the steps alone%n",
                ahead == DEFAULT ? "by default" : "prefetch(" + ahead + ")",
                shares.value());
    }

    /** Returns the seconds of a round's steps without loading. */
    private double steps(RemoteMachine machine, Sequential model, AdamW optimizer, Example batch) {
        long begun = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            step(machine, model, optimizer, batch);
        }
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void step(RemoteMachine machine, Sequential model, AdamW optimizer, Example batch) {
        try (var scope = machine.scope()) {
            optimizer.zeroGrad();
            Tensor loss = Functional.crossEntropy(model.call(machine.tensor(batch.x())), machine.tensor(batch.y()));
            loss.backward();
            optimizer.step();
            loss.itemDouble();
        }
    }

    private Example batch() {
        Random random = new Random(0);
        float[] pixels = new float[EXAMPLES * width];
        long[] labels = new long[EXAMPLES];
        for (int index = 0; index < pixels.length; index++) {
            pixels[index] = random.nextFloat();
        }
        for (int index = 0; index < labels.length; index++) {
            labels[index] = random.nextInt(CLASSES);
        }
        return new Example(HostTensor.of(pixels, EXAMPLES, width), HostTensor.of(labels));
    }
}
