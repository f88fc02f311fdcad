package dev.outpost.bench.serving;

import com.sun.management.OperatingSystemMXBean;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.Median;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
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
    private static final String ALONE = "one at a time";
    private static final String STATIC = "static batches";
    private static final String CONTINUOUS = "continuous";
    private static final String IDEAL = "full batches";
    /** Above this part of what continuous batching can do, one text at a time only falls behind. */
    private static final double MOST_ALONE = 0.5;

    @Option(names = "--machine", defaultValue = "mock:any", description = "Where; ${DEFAULT-VALUE} unless given.")
    private String machine;

    @Option(names = "--layers", defaultValue = "30", description = "Of the model; ${DEFAULT-VALUE} unless given.")
    private int layers;

    @Option(names = "--texts", defaultValue = "48", description = "In each part; ${DEFAULT-VALUE} unless given.")
    private int count;

    @Option(names = "--at-once", defaultValue = "16", description = "Texts of a batch; ${DEFAULT-VALUE} unless given.")
    private int atOnce;

    @Option(
            names = "--prompt",
            defaultValue = "64",
            description = "Tokens of a prompt, from half to one and a half of it; ${DEFAULT-VALUE} unless given.")
    private int promptTokens;

    @Option(
            names = "--new",
            defaultValue = "56",
            description = "New tokens of a text, from half to one and a half of it; ${DEFAULT-VALUE} unless given.")
    private int newTokens;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "The ways are measured in turns, so many times; ${DEFAULT-VALUE} unless given.")
    private int rounds;

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "0.25,0.5,0.75,1",
            description = "Arrivals, as parts of what continuous batching can do; ${DEFAULT-VALUE} unless given.")
    private List<Double> rates;

    @Option(
            names = "--capacity",
            description = "Tokens a second that continuous batching can do: only arrivals are measured then.")
    private Double capacity;

    private final SplittableRandom random = new SplittableRandom(3);

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
        List<Load.Text> texts = texts();
        try (RemoteMachine where = RemoteMachine.of(parts[0], parts.length == 1 ? "any" : parts[1], options);
                CausalLM model = CausalLM.load(where.open("file:" + folder), null, 256L * (atOnce + 1));
                ModelRunner runner = new ModelRunner(model, 256L * atOnce, atOnce, 256)) {
            BatchSettings settings = new BatchSettings(128, 10_000, 1);
            BatchEngine.warmUp(runner, settings);
            System.out.printf(
                    Locale.ROOT,
                    "%d texts, prompts of about %d tokens, about %d new ones, %d at once, on %s%n%n",
                    count,
                    promptTokens,
                    newTokens,
                    atOnce,
                    machine);
            try (BatchEngine engine = new BatchEngine(runner, settings, BatchListener.NONE)) {
                arrivals(model, engine, texts, capacity == null ? compared(model, engine, texts) : capacity);
            }
        }
    }

    /** Answers the tokens a second of continuous batching. */
    private double compared(CausalLM model, BatchEngine engine, List<Load.Text> texts) throws InterruptedException {
        warmUp(model, texts);
        Map<String, Rates> rates = new LinkedHashMap<>();
        Median whileFull = new Median();
        for (int round = 0; round < rounds; round++) {
            add(rates, ALONE, () -> oneAtATime(model, texts));
            add(rates, STATIC, () -> staticBatches(model, texts));
            add(rates, CONTINUOUS, () -> {
                Load load = Load.run(engine, otherPrompts(texts), Double.POSITIVE_INFINITY);
                whileFull.add(load.tokensPerSecondWhileFull());
                return load.tokens();
            });
            add(
                    rates,
                    IDEAL,
                    () -> Load.run(engine, ideal(texts), Double.POSITIVE_INFINITY)
                            .tokens());
        }
        rates.keySet().forEach(what -> report(what, rates));
        double full = whileFull.value();
        System.out.printf(
                Locale.ROOT,
                "while no place is empty, continuous batches have %.1f tokens/s, %.2f of full batches%n",
                full,
                full / rates.get(IDEAL).perSecond.value());
        return rates.get(CONTINUOUS).perSecond.value();
    }

    private static void add(Map<String, Rates> rates, String what, TokenSource source) throws InterruptedException {
        Rate rate = measure(source);
        System.err.printf(
                Locale.ROOT, "%s: %.1f tokens/s, %.1f of a second of CPU%n", what, rate.perSecond, rate.perCpuSecond);
        Rates all = rates.computeIfAbsent(what, unseen -> new Rates(new Median(), new Median()));
        all.perSecond.add(rate.perSecond);
        all.perCpuSecond.add(rate.perCpuSecond);
    }

    /** Of the same lengths, so that nothing of them is in the cache. */
    private List<Load.Text> otherPrompts(List<Load.Text> texts) {
        return texts.stream()
                .map(text -> new Load.Text(prompt(text.prompt().length), text.tokens()))
                .toList();
    }

    private int around(int middle) {
        return middle - middle / 2 + random.nextInt(2 * (middle / 2) + 1);
    }

    private int[] prompt(int length) {
        return random.ints(length, 1, RandomModel.vocabulary()).toArray();
    }

    /** As many as go at once, all of the middling lengths: they begin and end together, and each step is full. */
    private List<Load.Text> ideal(List<Load.Text> texts) {
        double prompt =
                texts.stream().mapToInt(text -> text.prompt().length).average().orElseThrow();
        double tokens = texts.stream().mapToInt(Load.Text::tokens).average().orElseThrow();
        return IntStream.range(0, atOnce)
                .mapToObj(text -> new Load.Text(prompt((int) Math.round(prompt)), (int) Math.round(tokens)))
                .toList();
    }

    private List<Load.Text> texts() {
        List<Load.Text> texts = new ArrayList<>();
        for (int text = 0; text < count; text++) {
            texts.add(new Load.Text(prompt(around(promptTokens)), around(newTokens)));
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

    /** A few of them: it takes long. */
    private long oneAtATime(CausalLM model, List<Load.Text> texts) {
        long tokens = 0;
        for (Load.Text text : texts.subList(0, Math.max(1, count / 6))) {
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

    private record Rates(Median perSecond, Median perCpuSecond) {}

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

    private void report(String what, Map<String, Rates> rates) {
        Rates own = rates.get(what);
        Rates alone = rates.get(ALONE);
        Rates ideal = rates.get(IDEAL);
        System.out.printf("%-18s %s", what, told(own.perSecond, alone.perSecond, ideal.perSecond));
        System.out.println(
                machine.startsWith("mock")
                        ? "; of a second of CPU " + told(own.perCpuSecond, alone.perCpuSecond, ideal.perCpuSecond)
                        : "");
    }

    private static String told(Median own, Median alone, Median ideal) {
        return String.format(
                Locale.ROOT,
                "%8.1f tokens/s, %5.2f times one at a time, %4.2f of full batches",
                own.value(),
                own.value() / alone.value(),
                own.value() / ideal.value());
    }

    private void arrivals(CausalLM model, BatchEngine engine, List<Load.Text> texts, double continuous)
            throws InterruptedException {
        double perText = texts.stream().mapToInt(Load.Text::tokens).average().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "%n%-18s %10s %10s %22s %22s%n",
                "",
                "texts/s",
                "tokens/s",
                "first token p50/p99 s",
                "whole text p50/p99 s");
        for (double rate : rates) {
            double perSecond = rate * continuous / perText;
            tell(CONTINUOUS, perSecond, Load.run(engine, otherPrompts(texts), perSecond));
            tell(STATIC, perSecond, Load.runBatches(model, otherPrompts(texts), perSecond, atOnce));
            if (rate <= MOST_ALONE) {
                tell(ALONE, perSecond, Load.runBatches(model, otherPrompts(texts), perSecond, 1));
            }
        }
    }

    private static void tell(String what, double perSecond, Load load) {
        System.out.printf(
                Locale.ROOT,
                "%-18s %10.2f %10.1f %12.2f / %6.2f %13.2f / %6.2f%n",
                what,
                perSecond,
                load.tokensPerSecond(),
                load.firstToken(0.5),
                load.firstToken(0.99),
                load.wholeText(0.5),
                load.wholeText(0.99));
    }
}
