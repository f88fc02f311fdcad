package dev.outpost.bench.serving;

import dev.outpost.bench.statistics.Median;
import dev.outpost.inference.BatchEngine;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Generates the same texts one at a time, in batches that begin and end together, with continuous batching, and in full
 * batches, alternately.
 */
final class BatchingComparison {
    static final String ALONE = "one at a time";
    static final String STATIC = "static batches";
    static final String CONTINUOUS = "continuous";
    private static final String IDEAL = "full batches";

    private final CausalLM model;
    private final BatchEngine engine;
    private final RandomTexts random;
    private final List<OpenLoopLoad.Text> texts;
    private final int atOnce;
    private final Map<String, TokenRate.Medians> rates = new LinkedHashMap<>();
    private final Median whileFull = new Median();

    /** @param atOnce number of texts in a batch */
    BatchingComparison(
            CausalLM model, BatchEngine engine, RandomTexts random, List<OpenLoopLoad.Text> texts, int atOnce) {
        this.model = model;
        this.engine = engine;
        this.random = random;
        this.texts = texts;
        this.atOnce = atOnce;
    }

    /** Measures all ways {@code rounds} times. */
    void run(int rounds) throws InterruptedException {
        warmUp();
        for (int round = 0; round < rounds; round++) {
            add(ALONE, this::oneAtATime);
            add(STATIC, this::staticBatches);
            add(CONTINUOUS, this::continuous);
            add(
                    IDEAL,
                    () -> OpenLoopLoad.run(engine, random.ofAverageLength(texts, atOnce), Double.POSITIVE_INFINITY)
                            .tokens());
        }
    }

    private void add(String what, TokenRate.Source source) throws InterruptedException {
        TokenRate rate = TokenRate.measure(source);
        System.err.printf(
                Locale.ROOT,
                "%s: %.1f tokens/s, %.1f of a second of CPU%n",
                what,
                rate.perSecond(),
                rate.perCpuSecond());
        rates.computeIfAbsent(what, unseen -> new TokenRate.Medians()).add(rate);
    }

    private void warmUp() {
        model.generate(texts.getFirst().prompt(), Sampling.greedy().maxTokens(4))
                .toEnd();
        model.generate(
                        texts.subList(0, atOnce).stream()
                                .map(OpenLoopLoad.Text::prompt)
                                .toList(),
                        Sampling.greedy().maxTokens(4))
                .toEnd();
    }

    /** Generates a few of the texts, because it takes long. */
    private long oneAtATime() {
        long tokens = 0;
        for (OpenLoopLoad.Text text : texts.subList(0, Math.max(1, texts.size() / 6))) {
            tokens += model.generate(text.prompt(), text.sampling()).toEnd().getFirst().length;
        }
        return tokens;
    }

    /** Generates batches, each as long as its longest text. Only the requested tokens count. */
    private long staticBatches() {
        long tokens = 0;
        for (int from = 0; from + atOnce <= texts.size(); from += atOnce) {
            List<OpenLoopLoad.Text> batch = texts.subList(from, from + atOnce);
            int max = batch.stream().mapToInt(OpenLoopLoad.Text::tokens).max().orElseThrow();
            try (Generation generation = model.generate(
                    batch.stream().map(OpenLoopLoad.Text::prompt).toList(),
                    Sampling.greedy().maxTokens(max).ignoreEnd())) {
                generation.toEnd();
            }
            tokens += batch.stream().mapToInt(OpenLoopLoad.Text::tokens).sum();
        }
        return tokens;
    }

    private long continuous() throws InterruptedException {
        OpenLoopLoad load = OpenLoopLoad.run(engine, random.otherPrompts(texts), Double.POSITIVE_INFINITY);
        whileFull.add(load.tokensPerSecondWhileFull());
        return load.tokens();
    }

    /** Returns the tokens per second of continuous batching. */
    double continuousRate() {
        return rates.get(CONTINUOUS).perSecond().value();
    }

    /** @param isOwnCpu true if the machine computes in this process, so that the CPU time is meaningful */
    void report(boolean isOwnCpu) {
        rates.forEach((what, own) -> report(what, own, isOwnCpu));
        double full = whileFull.value();
        System.out.printf(
                Locale.ROOT,
                "while no place is empty, continuous batches have %.1f tokens/s, %.2f of full batches%n",
                full,
                full / rates.get(IDEAL).perSecond().value());
    }

    private void report(String what, TokenRate.Medians own, boolean isOwnCpu) {
        TokenRate.Medians alone = rates.get(ALONE);
        TokenRate.Medians ideal = rates.get(IDEAL);
        System.out.printf("%-18s %s", what, describe(own.perSecond(), alone.perSecond(), ideal.perSecond()));
        System.out.println(
                isOwnCpu
                        ? "; of a second of CPU "
                                + describe(own.perCpuSecond(), alone.perCpuSecond(), ideal.perCpuSecond())
                        : "");
    }

    private static String describe(Median own, Median alone, Median ideal) {
        return String.format(
                Locale.ROOT,
                "%8.1f tokens/s, %5.2f times one at a time, %4.2f of full batches",
                own.value(),
                own.value() / alone.value(),
                own.value() / ideal.value());
    }
}
