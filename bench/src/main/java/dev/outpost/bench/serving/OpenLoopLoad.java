package dev.outpost.bench.serving;

import dev.outpost.inference.BatchEngine;
import dev.outpost.inference.BatchRequest;
import dev.outpost.inference.Finish;
import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.inference.TokenSink;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Texts that arrive at a rate, whether earlier ones are finished or not; each is timed from its due time. */
final class OpenLoopLoad {
    private final ConcurrentLinkedQueue<Double> first = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Double> whole = new ConcurrentLinkedQueue<>();
    private final AtomicLong came = new AtomicLong();
    private final AtomicInteger notBegun;
    private final long start = System.nanoTime();
    private long tokens;
    private double seconds;
    private volatile double fullRate;

    private OpenLoopLoad(int texts) {
        notBegun = new AtomicInteger(texts);
    }

    /** A text of the load. */
    record Text(int[] prompt, int tokens) {
        Sampling sampling() {
            return Sampling.greedy().maxTokens(tokens).ignoreEnd();
        }
    }

    /** @param perSecond arrivals per second; infinite for all at once */
    static OpenLoopLoad run(BatchEngine engine, List<Text> texts, double perSecond) throws InterruptedException {
        OpenLoopLoad load = new OpenLoopLoad(texts.size());
        CountDownLatch left = new CountDownLatch(texts.size());
        for (int number = 0; number < texts.size(); number++) {
            long due = load.due(number, perSecond);
            load.await(due);
            Text text = texts.get(number);
            load.tokens += text.tokens();
            engine.submit(BatchRequest.of(text.prompt(), text.sampling(), load.sink(due, left)));
        }
        left.await();
        load.seconds = (System.nanoTime() - load.start) / 1e9;
        return load;
    }

    /**
     * Runs the load like {@link #run}, in batches that begin and end together. A batch has the texts that have arrived, at
     * most {@code max}, and runs until the longest of them is finished. Batches are padded to one size.
     */
    static OpenLoopLoad runBatches(CausalLM model, List<Text> texts, double perSecond, int max) {
        OpenLoopLoad load = new OpenLoopLoad(texts.size());
        for (int done = 0; done < texts.size(); ) {
            load.await(load.due(done, perSecond));
            int end = done + 1;
            while (end < Math.min(texts.size(), done + max) && load.due(end, perSecond) <= System.nanoTime()) {
                end++;
            }
            load.generate(model, texts, done, end, perSecond, max);
            done = end;
        }
        load.seconds = (System.nanoTime() - load.start) / 1e9;
        return load;
    }

    private void generate(CausalLM model, List<Text> texts, int from, int end, double perSecond, int size) {
        List<Text> batch = texts.subList(from, end);
        int longest = batch.stream().mapToInt(Text::tokens).max().orElseThrow();
        List<int[]> prompts = new ArrayList<>(batch.stream().map(Text::prompt).toList());
        while (prompts.size() < size) {
            prompts.add(prompts.getFirst());
        }
        try (Generation generation =
                model.generate(prompts, Sampling.greedy().maxTokens(longest).ignoreEnd())) {
            for (int token = 1; generation.hasNext(); token++) {
                generation.next();
                for (int text = from; text < end; text++) {
                    count(texts.get(text), token, due(text, perSecond));
                }
            }
        }
    }

    private void count(Text text, int token, long due) {
        double sinceDue = (System.nanoTime() - due) / 1e9;
        if (token == 1) {
            first.add(sinceDue);
        }
        if (token == text.tokens()) {
            tokens += token;
            whole.add(sinceDue);
        }
    }

    private long due(int number, double perSecond) {
        return start + (long) (number * 1e9 / perSecond);
    }

    private void await(long due) {
        while (System.nanoTime() < due) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }

    private TokenSink sink(long due, CountDownLatch left) {
        return new TokenSink() {
            private boolean hasBegun;

            @Override
            public boolean accept(int token, TokenLogprobs logprobs) {
                came.incrementAndGet();
                if (!hasBegun) {
                    hasBegun = true;
                    begun(due);
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

    private void begun(long due) {
        long now = System.nanoTime();
        first.add((now - due) / 1e9);
        if (notBegun.decrementAndGet() == 0) {
            fullRate = came.get() * 1e9 / (now - start);
        }
    }

    /** Returns the tokens per second until the last text had its first one; afterwards some places are empty. */
    double tokensPerSecondWhileFull() {
        return fullRate;
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
