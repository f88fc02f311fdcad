package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.models.constraint.TokenConstraint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a batch of prompts as they are generated. Each element has the next token of each text, or {@link #ENDED} for a text that
 * has ended. Steps are enqueued before the tokens of earlier steps are read, so a token costs no round trip. Results after the end of a
 * text are dropped. Must be closed or read to its end. Not thread-safe.
 */
public final class Generation implements Iterator<int[]>, AutoCloseable {
    /** The value for a text that has ended, in place of a token. */
    public static final int ENDED = -1;

    /** The number of steps that are enqueued before the result of the first is read. */
    private static final int AHEAD = 16;

    private final TokenSteps session;
    private final Runnable whenDone;
    private final Set<Integer> ends;
    private final int max;
    private final int promptTokens;
    private final Deque<CompletableFuture<HostTensor>> under = new ArrayDeque<>();
    private final boolean[] isOver;
    private final long begun = System.nanoTime();
    private long firstNanos;
    private long lastNanos;
    private int started;
    private int read;
    private int tokens;
    private boolean isClosed;

    /**
     * Starts the generation.
     *
     * @param ends the tokens that end a text
     * @param whenDone called once, when the session is free again
     */
    public Generation(
            TokenSteps session,
            List<int[]> prompts,
            Sampling sampling,
            @Nullable TokenConstraint constraint,
            Set<Integer> ends,
            Runnable whenDone) {
        this.session = session;
        this.whenDone = whenDone;
        this.ends = sampling.ignoresEnd() && constraint == null ? Set.of() : ends;
        this.max = sampling.maxTokens();
        this.promptTokens = prompts.stream().mapToInt(ids -> ids.length).sum();
        this.isOver = new boolean[prompts.size()];
        boolean isBegun = false;
        try {
            under.add(session.begin(prompts, sampling, constraint));
            started = 1;
            isBegun = true;
        } finally {
            if (!isBegun) {
                close();
            }
        }
    }

    @Override
    public boolean hasNext() {
        boolean hasNext = !isClosed && read < max && !isAllOver();
        if (!hasNext) {
            close();
        }
        return hasNext;
    }

    private boolean isAllOver() {
        for (boolean isEnded : isOver) {
            if (!isEnded) {
                return false;
            }
        }
        return true;
    }

    /** Returns the next token of each text. Waits for it. */
    @Override
    public int[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all texts have ended");
        }
        boolean isRead = false;
        try {
            while (started < max && under.size() < AHEAD) {
                under.add(session.next());
                started++;
            }
            int[] row = row(await(under.remove()));
            isRead = true;
            return row;
        } finally {
            if (!isRead) {
                close();
            }
        }
    }

    private int[] row(HostTensor values) {
        lastNanos = System.nanoTime();
        firstNanos = read++ == 0 ? lastNanos : firstNanos;
        int[] row =
                Arrays.stream(values.toLongArray()).mapToInt(Math::toIntExact).toArray();
        for (int text = 0; text < row.length; text++) {
            if (isOver[text]) {
                row[text] = ENDED;
            } else {
                tokens++;
                isOver[text] = ends.contains(row[text]);
            }
        }
        return row;
    }

    private static HostTensor await(CompletableFuture<HostTensor> future) {
        try {
            return future.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    /** Returns the remaining tokens of all texts, without those that end them. Waits until all texts have ended. */
    public List<int[]> toEnd() {
        List<List<Integer>> texts = new ArrayList<>();
        for (int text = 0; text < isOver.length; text++) {
            texts.add(new ArrayList<>());
        }
        while (hasNext()) {
            int[] row = next();
            for (int text = 0; text < row.length; text++) {
                if (row[text] != ENDED && !ends.contains(row[text])) {
                    texts.get(text).add(row[text]);
                }
            }
        }
        return texts.stream()
                .map(text -> text.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /** True if a token ends a text of this generation. */
    boolean ends(int id) {
        return ends.contains(id);
    }

    /** Returns the rates so far. */
    public Rates rates() {
        return new Rates(promptTokens, tokens, firstNanos - begun, lastNanos - firstNanos, isOver.length);
    }

    /**
     * The durations of a generation.
     *
     * @param promptTokens number of tokens of all prompts
     * @param tokens number of generated tokens of all texts
     * @param firstNanos nanoseconds until the first token
     * @param decodeNanos nanoseconds from the first to the last token
     * @param numSeqs number of texts in the batch
     */
    public record Rates(int promptTokens, int tokens, long firstNanos, long decodeNanos, int numSeqs) {
        /** Prompt tokens per second, up to the first token. */
        public double promptRate() {
            return firstNanos <= 0 ? 0 : promptTokens * 1e9 / firstNanos;
        }

        /** Generated tokens per second after the first ones. */
        public double decodeRate() {
            return decodeNanos <= 0 ? 0 : (tokens - numSeqs) * 1e9 / decodeNanos;
        }
    }

    /** Ends the generation at any point. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            under.clear();
            session.end();
            whenDone.run();
        }
    }
}
