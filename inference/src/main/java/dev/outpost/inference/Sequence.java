package dev.outpost.inference;

import dev.outpost.models.Sampling;
import dev.outpost.models.SamplingMetadata;
import dev.outpost.models.SamplingRandom;
import dev.outpost.models.SequenceInit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text that waits or is being generated. Its tokens are the prompt, the tokens that were read from the machine, and the
 * pending tokens: chosen on the machine and not yet read. Only the engine's thread uses it.
 */
final class Sequence {
    final BatchRequest request;
    /** The order of arrival: earlier texts have lower numbers. */
    final long number;
    /** The text with the same prompt whose prompt is computed first; null for none. */
    final Sequence prefillLeader;

    private int[] tokens;
    private int known;
    private final int promptLength;
    /** The state of the constraint's automaton after the last read token. */
    private int state;

    /** The number of tokens whose keys and values are in blocks, or will be after the enqueued steps. */
    int numComputedTokens;
    /** The number of tokens that enqueued steps choose and that were not read yet. */
    int numPendingTokens;
    /** The slot of the text while it runs; 0 while it waits. */
    int slot;
    /** Incremented by each preemption. Choices of an earlier epoch are dropped. */
    int epoch;

    int numCachedTokens;
    final List<Integer> blockTable = new ArrayList<>();
    /** The number of blocks of this text that have an entry in the prefix cache. */
    int registered;
    /** The number of the cached prefix that ends with the last registered block. */
    long prefix;

    boolean isOver;
    final long arrivedNanos;
    long lastTokenNanos;

    Sequence(BatchRequest request, long number, Sequence prefillLeader, long nanos) {
        this.request = request;
        this.number = number;
        this.prefillLeader = prefillLeader;
        this.arrivedNanos = nanos;
        tokens = Arrays.copyOf(request.prompt(), request.prompt().length + 64);
        promptLength = request.prompt().length;
        known = promptLength;
        prefix = root();
    }

    /**
     * Returns the number of the empty prefix. Each adapter has its own number, because keys and values depend on the
     * adapter.
     */
    long root() {
        return BlockManager.ROOT - request.adapter();
    }

    int known() {
        return known;
    }

    int promptLength() {
        return promptLength;
    }

    int newTokens() {
        return known - promptLength;
    }

    int token(int place) {
        return tokens[place];
    }

    int[] tokens() {
        return tokens;
    }

    /** Returns the number of tokens, including pending ones. */
    int total() {
        return known + numPendingTokens;
    }

    boolean isFull() {
        return total() - promptLength >= request.sampling().maxTokens();
    }

    /**
     * True if all tokens but the last are computed, as after the prompt or after the recomputation that follows a
     * preemption.
     */
    boolean isPrefilled() {
        return total() - numComputedTokens <= 1 && numComputedTokens > 0;
    }

    /** True if the constraint allows nothing but the end of the text. */
    boolean isWhole() {
        return request.constraint() != null && request.constraint().isWhole(state);
    }

    void append(int token) {
        if (known == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * known);
        }
        tokens[known++] = token;
        numPendingTokens--;
        if (request.constraint() != null) {
            state = request.constraint().after(state, token);
        }
    }

    /** Returns the initial state of the slot that this text gets. */
    SequenceInit beginning() {
        return new SequenceInit(Arrays.copyOf(tokens, known), promptLength, request.sampling(), request.constraint());
    }

    /** Returns the rule for the choice of the next token, after all tokens including the pending ones. */
    SamplingMetadata choice() {
        Sampling sampling = request.sampling();
        int number = total() - promptLength;
        return new SamplingMetadata(
                sampling,
                SamplingRandom.of(sampling.seed(), number),
                request.wantsLogprobs(),
                request.constraint() != null,
                sampling.maxTokens() - number);
    }

    /** Resets the text after a preemption. The text then waits, and all its tokens are computed again. */
    void forget() {
        numComputedTokens = 0;
        numPendingTokens = 0;
        slot = 0;
        epoch++;
        registered = 0;
        prefix = root();
    }

    Finish finish(Finish.Reason reason) {
        return new Finish(reason, promptLength, numCachedTokens, newTokens());
    }
}
