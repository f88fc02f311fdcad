package dev.outpost.bench.serving;

import dev.outpost.models.Sampling;
import dev.outpost.models.StepResult.TokenLogprobs;
import dev.outpost.models.batch.BatchEngine;
import dev.outpost.models.batch.BatchRequest;
import dev.outpost.models.batch.Finish;
import dev.outpost.models.batch.TokenSink;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Texts that come at a rate, whether earlier ones are whole or not; each is timed from when it was due. */
final class Load {
    private final ConcurrentLinkedQueue<Double> first = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Double> whole = new ConcurrentLinkedQueue<>();
    private long tokens;
    private double seconds;

    /** A text of the load. */
    record Text(int[] prompt, int tokens) {
        Sampling sampling() {
            return Sampling.greedy().maxTokens(tokens).ignoreEnd();
        }
    }

    /** @param perSecond how many come a second; infinite for all at once */
    static Load run(BatchEngine engine, List<Text> texts, double perSecond) throws InterruptedException {
        Load load = new Load();
        CountDownLatch left = new CountDownLatch(texts.size());
        long start = System.nanoTime();
        for (int number = 0; number < texts.size(); number++) {
            long due = Double.isInfinite(perSecond) ? start : start + (long) (number * 1e9 / perSecond);
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            Text text = texts.get(number);
            load.tokens += text.tokens();
            engine.submit(BatchRequest.of(text.prompt(), text.sampling(), load.sink(due, left)));
        }
        left.await();
        load.seconds = (System.nanoTime() - start) / 1e9;
        return load;
    }

    private TokenSink sink(long due, CountDownLatch left) {
        return new TokenSink() {
            private boolean hasBegun;

            @Override
            public boolean accept(int token, TokenLogprobs logprobs) {
                if (!hasBegun) {
                    hasBegun = true;
                    first.add((System.nanoTime() - due) / 1e9);
                }
                return true;
            }

            @Override
            public void finished(Finish finish) {
                whole.add((System.nanoTime() - due) / 1e9);
                left.countDown();
            }

            @Override
            public void failed(RuntimeException failure) {
                System.err.println("a text has failed: " + failure.getMessage());
                left.countDown();
            }
        };
    }

    long tokens() {
        return tokens;
    }

    double tokensPerSecond() {
        return tokens / seconds;
    }

    double firstToken(double share) {
        return quantile(first, share);
    }

    double wholeText(double share) {
        return quantile(whole, share);
    }

    private static double quantile(ConcurrentLinkedQueue<Double> all, double share) {
        List<Double> sorted = all.stream().sorted().toList();
        return sorted.isEmpty() ? Double.NaN : sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }
}
