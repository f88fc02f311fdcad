package dev.outpost.bench.serving;

import com.sun.management.OperatingSystemMXBean;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.ModelRunner;
import dev.outpost.models.Sampling;
import dev.outpost.models.batch.BatchEngine;
import dev.outpost.models.batch.BatchListener;
import dev.outpost.models.batch.BatchSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Texts of unequal lengths with one model: one at a time, in batches that begin and end together, and batched continuously; then
 * at growing rates of arrivals.
 */
@Command(
        name = "serving",
        mixinStandardHelpOptions = true,
        description =
                "Serving: continuous batching beside static batching and one text at a time, and arrivals at growing"
                        + " rates.")
public final class ServingBench implements Callable<Integer> {
    @Option(names = "--machine", defaultValue = "mock:any", description = "Where; ${DEFAULT-VALUE} unless given.")
    private String machine;

    @Option(names = "--layers", defaultValue = "30", description = "Of the model; ${DEFAULT-VALUE} unless given.")
    private int layers;

    @Option(names = "--texts", defaultValue = "48", description = "In each part; ${DEFAULT-VALUE} unless given.")
    private int count;

    @Option(names = "--at-once", defaultValue = "16", description = "Texts of a batch; ${DEFAULT-VALUE} unless given.")
    private int atOnce;

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "0.25,0.5,0.75,1",
            description = "Arrivals, as parts of what continuous batching can do; ${DEFAULT-VALUE} unless given.")
    private List<Double> rates;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("outpost-bench-serving");
        try {
            new RandomModel(layers).write(folder);
            measure(folder);
        } finally {
            Files.deleteIfExists(folder.resolve("model.safetensors"));
            Files.deleteIfExists(folder.resolve("config.json"));
            Files.deleteIfExists(folder);
        }
        return 0;
    }

    private void measure(Path folder) throws InterruptedException {
        String[] parts = machine.split(":");
        MachineOptions options = new MachineOptions();
        if (parts[0].equals("mock")) {
            options.option("sources", "file:" + folder);
        }
        List<Load.Text> texts = texts(new SplittableRandom(3));
        try (RemoteMachine where = RemoteMachine.of(parts[0], parts.length == 1 ? "any" : parts[1], options);
                CausalLM model = CausalLM.load(where.open("file:" + folder), null, 256L * (atOnce + 1));
                ModelRunner runner = new ModelRunner(model, 256L * atOnce, atOnce, 256)) {
            BatchSettings settings = new BatchSettings(128, 10_000, 1);
            BatchEngine.warmUp(runner, settings);
            warmUp(model, texts);
            System.out.printf(
                    Locale.ROOT,
                    "%d texts, prompts of 32 to 96 tokens, 16 to 96 new ones, %d at once, on %s%n%n",
                    count,
                    atOnce,
                    machine);
            Rate alone = measure(() -> oneAtATime(model, texts));
            report("one at a time", alone, alone);
            report("static batches", measure(() -> staticBatches(model, texts)), alone);
            try (BatchEngine engine = new BatchEngine(runner, settings, BatchListener.NONE)) {
                Rate continuous = measure(
                        () -> Load.run(engine, texts, Double.POSITIVE_INFINITY).tokens());
                report("continuous", continuous, alone);
                List<Load.Text> equal = texts.subList(0, atOnce).stream()
                        .map(text -> new Load.Text(Arrays.copyOf(text.prompt(), 32), 64))
                        .toList();
                report(
                        "ideal full batch",
                        measure(() -> Load.run(engine, equal, Double.POSITIVE_INFINITY)
                                .tokens()),
                        alone);
                arrivals(engine, texts, continuous.perSecond);
            }
        }
    }

    private List<Load.Text> texts(SplittableRandom random) {
        List<Load.Text> texts = new ArrayList<>();
        for (int text = 0; text < count; text++) {
            int[] prompt = random.ints(32 + random.nextInt(65), 1, RandomModel.vocabulary())
                    .toArray();
            texts.add(new Load.Text(prompt, 16 + random.nextInt(81)));
        }
        return texts;
    }

    private void warmUp(CausalLM model, List<Load.Text> texts) {
        model.generate(texts.getFirst().prompt(), Sampling.greedy().maxTokens(4))
                .toEnd();
        model.generate(
                        texts.subList(0, atOnce).stream().map(Load.Text::prompt).toList(),
                        Sampling.greedy().maxTokens(4))
                .toEnd();
    }

    /** A third of them: it takes long. */
    private long oneAtATime(CausalLM model, List<Load.Text> texts) {
        long tokens = 0;
        for (Load.Text text : texts.subList(0, Math.max(1, count / 3))) {
            tokens += model.generate(text.prompt(), text.sampling()).toEnd().getFirst().length;
        }
        return tokens;
    }

    /** Each batch is as long as its longest text; only the tokens that were asked for count. */
    private long staticBatches(CausalLM model, List<Load.Text> texts) {
        long tokens = 0;
        for (int from = 0; from + atOnce <= texts.size(); from += atOnce) {
            List<Load.Text> batch = texts.subList(from, from + atOnce);
            int most = batch.stream().mapToInt(Load.Text::tokens).max().orElseThrow();
            try (Generation generation = model.generate(
                    batch.stream().map(Load.Text::prompt).toList(),
                    Sampling.greedy().maxTokens(most).ignoreEnd())) {
                generation.toEnd();
            }
            tokens += batch.stream().mapToInt(Load.Text::tokens).sum();
        }
        return tokens;
    }

    /** Of this process, which a machine of the provider "mock" computes in; on a shared host it is steadier than time. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private record Rate(double perSecond, double perCpuSecond) {}

    /** Measures what gives tokens. */
    private static Rate measure(TokenSource source) throws InterruptedException {
        long begun = System.nanoTime();
        long cpu = cpuNanos();
        long tokens = source.generate();
        return new Rate(tokens * 1e9 / (System.nanoTime() - begun), tokens * 1e9 / (cpuNanos() - cpu));
    }

    /** Answers how many tokens were asked for and came. */
    private interface TokenSource {
        long generate() throws InterruptedException;
    }

    private void report(String what, Rate rate, Rate alone) {
        System.out.printf(
                Locale.ROOT,
                "%-18s %8.1f tokens/s, %5.2f times one at a time",
                what,
                rate.perSecond,
                rate.perSecond / alone.perSecond);
        System.out.println(
                machine.startsWith("mock")
                        ? String.format(
                                Locale.ROOT,
                                "; %8.1f tokens a second of CPU, %5.2f times",
                                rate.perCpuSecond,
                                rate.perCpuSecond / alone.perCpuSecond)
                        : "");
    }

    private void arrivals(BatchEngine engine, List<Load.Text> texts, double continuous) throws InterruptedException {
        double perText = texts.stream().mapToInt(Load.Text::tokens).average().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "%n%10s %10s %22s %22s%n",
                "texts/s",
                "tokens/s",
                "first token p50/p99 s",
                "whole text p50/p99 s");
        for (double rate : rates) {
            double perSecond = rate * continuous / perText;
            Load load = Load.run(engine, texts, perSecond);
            System.out.printf(
                    Locale.ROOT,
                    "%10.2f %10.1f %12.2f / %6.2f %13.2f / %6.2f%n",
                    perSecond,
                    load.tokensPerSecond(),
                    load.firstToken(0.5),
                    load.firstToken(0.99),
                    load.wholeText(0.5),
                    load.wholeText(0.99));
        }
    }
}
