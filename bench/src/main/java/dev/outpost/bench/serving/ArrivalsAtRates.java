package dev.outpost.bench.serving;

import dev.outpost.inference.BatchEngine;
import dev.outpost.models.CausalLM;
import java.util.List;
import java.util.Locale;

/**
 * Measures latencies of texts that arrive at increasing rates: with continuous batching, with batches that begin and end
 * together, and one at a time.
 *
 * @param atOnce number of texts in a batch
 */
record ArrivalsAtRates(
        CausalLM model, BatchEngine engine, RandomTexts random, List<OpenLoopLoad.Text> texts, int atOnce) {
    /** The largest rate for one text at a time, as a fraction of the capacity. At higher rates it only falls behind. */
    private static final double MAX_ALONE = 0.5;

    /**
     * Measures each rate, and prints a line for it.
     *
     * @param rates the rates as fractions of the capacity
     * @param capacity tokens per second of continuous batching
     */
    void run(List<Double> rates, double capacity) throws InterruptedException {
        double perText =
                texts.stream().mapToInt(OpenLoopLoad.Text::tokens).average().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "%n%-18s %10s %10s %22s %22s%n",
                "",
                "texts/s",
                "tokens/s",
                "first token p50/p99 s",
                "whole text p50/p99 s");
        for (double rate : rates) {
            double perSecond = rate * capacity / perText;
            report(
                    BatchingComparison.CONTINUOUS,
                    perSecond,
                    OpenLoopLoad.run(engine, random.otherPrompts(texts), perSecond));
            report(BatchingComparison.STATIC, perSecond, inBatches(perSecond, atOnce));
            if (rate <= MAX_ALONE) {
                report(BatchingComparison.ALONE, perSecond, inBatches(perSecond, 1));
            }
        }
    }

    private OpenLoopLoad inBatches(double perSecond, int size) {
        return OpenLoopLoad.runBatches(model, random.otherPrompts(texts), perSecond, size);
    }

    private static void report(String what, double perSecond, OpenLoopLoad load) {
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
