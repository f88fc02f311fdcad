package dev.outpost.models.batch;

import dev.outpost.models.NextToken;
import dev.outpost.models.Sampling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A text under way. Its tokens are the prompt's, those that were read, and those that were chosen on the machine and not read
 * yet. Of the engine's thread alone.
 */
final class Sequence {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    final BatchRequest request;
    /** Lower ones came earlier. */
    final long number;
    /** Whose prompt is computed first, since this one's is the same; null for none. */
    final Sequence leader;

    private int[] tokens;
    private int known;
    private final int promptLength;
    /** How often tokens of the prompt and new ones were generated, where there are penalties. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    /** Tokens whose keys and values are in pages, or will be by what is enqueued. */
    int computed;
    /** Tokens that are chosen by what is enqueued. */
    int pending;
    /** 0 where it waits. */
    int slot;
    /** What was enqueued before the latest preemption is not its any more. */
    int epoch;

    int cached;
    final List<Integer> pages = new ArrayList<>();
    /** How many of its pages the cache of prefixes knows, or was told. */
    int registered;
    /** The cache's number of the last of them. */
    long prefix = PageAllocator.ROOT;

    boolean isOver;
    final long arrivedNanos;
    long lastTokenNanos;

    Sequence(BatchRequest request, long number, Sequence leader, long nanos) {
        this.request = request;
        this.number = number;
        this.leader = leader;
        this.arrivedNanos = nanos;
        tokens = Arrays.copyOf(request.prompt(), request.prompt().length + 64);
        promptLength = request.prompt().length;
        known = promptLength;
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
        return known + pending;
    }

    boolean isFull() {
        return total() - promptLength >= request.sampling().maxTokens();
    }

    /** Whether its prompt, or all its tokens behind a preemption, are computed. */
    boolean isPrefilled() {
        return total() - computed <= 1 && computed > 0;
    }

    /** Whether the choice of a token depends on the one before in a way that only this side knows. */
    boolean needsLatestRead() {
        Sampling sampling = request.sampling();
        return request.mask() != null || sampling.presencePenalty() != 0 || sampling.frequencyPenalty() != 0;
    }

    void append(int token) {
        if (known == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * known);
        }
        tokens[known++] = token;
        pending--;
        counts.merge(token, 1, Integer::sum);
        if (request.mask() != null) {
            request.mask().accept(token);
        }
    }

    /** What follows the last token, those not read yet included. */
    NextToken choice(int vocabulary) {
        Sampling sampling = request.sampling();
        return new NextToken(
                sampling.temperature(),
                sampling.topK(),
                sampling.topP(),
                sampling.minP(),
                drawn(sampling.seed(), total() - promptLength),
                request.wantsLogprobs(),
                bias(sampling, vocabulary));
    }

    /** By the token's number alone, so that a text that is computed again goes on as it would have. */
    private static float drawn(long seed, int number) {
        long mixed = seed + GOLDEN * (number + 1L);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 40) * 0x1p-24f;
    }

    private float[] bias(Sampling sampling, int vocabulary) {
        if (sampling.logitBias().isEmpty() && !needsLatestRead()) {
            return null;
        }
        float[] bias = new float[vocabulary];
        sampling.logitBias().forEach((token, value) -> bias[token] += value.floatValue());
        if (sampling.presencePenalty() != 0 || sampling.frequencyPenalty() != 0) {
            counts.forEach((token, count) ->
                    bias[token] -= (float) (sampling.presencePenalty() + count * sampling.frequencyPenalty()));
        }
        if (request.mask() != null) {
            request.mask().forbid(bias);
        }
        return bias;
    }

    /** It waits again, and all that it has is computed anew. */
    void forget() {
        computed = 0;
        pending = 0;
        slot = 0;
        epoch++;
        registered = 0;
        prefix = PageAllocator.ROOT;
    }

    Finish finish(Finish.Reason reason) {
        return new Finish(reason, promptLength, cached, newTokens());
    }
}
