package dev.outpost.inference;

import dev.outpost.models.Sampling;
import dev.outpost.models.sampling.SamplingMetadata;
import dev.outpost.models.sampling.SamplingRandom;
import dev.outpost.models.sampling.SequenceInit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text under way. Its tokens are the prompt's, those that were read, and those that were chosen on the machine and not read
 * yet. Of the engine's thread alone.
 */
final class Sequence {
    final BatchRequest request;
    /** Lower ones came earlier. */
    final long number;
    /** The text with the same prompt, whose prompt is computed first; null for none. */
    final Sequence prefillLeader;

    private int[] tokens;
    private int known;
    private final int promptLength;
    /** Of the constraint's automaton, behind the tokens that were read. */
    private int state;

    /** Tokens whose keys and values are in blocks, or will be by what is enqueued. */
    int numComputedTokens;
    /** Tokens that are chosen by what is enqueued. */
    int numPendingTokens;
    /** 0 where it waits. */
    int slot;
    /** Tokens that were enqueued before the latest preemption belong to an earlier epoch. */
    int epoch;

    int numCachedTokens;
    final List<Integer> blockTable = new ArrayList<>();
    /** How many of its blocks the cache of prefixes knows, or was told. */
    int registered;
    /** The cache's number of the last of them. */
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

    /** The number of its empty prefix. Keys and values of other adapters are others, so nothing is shared with their texts. */
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

    /** Those not read yet included. */
    int total() {
        return known + numPendingTokens;
    }

    boolean isFull() {
        return total() - promptLength >= request.sampling().maxTokens();
    }

    /** Whether its prompt, or all its tokens behind a preemption, are computed. */
    boolean isPrefilled() {
        return total() - numComputedTokens <= 1 && numComputedTokens > 0;
    }

    /** Whether its constraint lets nothing follow but the end. */
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

    /** For the slot that it gets. */
    SequenceInit beginning() {
        return new SequenceInit(Arrays.copyOf(tokens, known), promptLength, request.sampling(), request.constraint());
    }

    /** The choice behind the last token, tokens not read yet included. */
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

    /** It waits again, and all that it has is computed anew. */
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
