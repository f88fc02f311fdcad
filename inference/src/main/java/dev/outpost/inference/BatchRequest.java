package dev.outpost.inference;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import org.jspecify.annotations.Nullable;

/**
 * A text to generate.
 *
 * @param prompt its tokens, at least one
 * @param sampling how tokens are chosen, and how many at most
 * @param key whose it is: keys take turns
 * @param priority of texts that wait, those with the highest go first; texts with the lowest make room first
 * @param deadlineNanos of {@link System#nanoTime}; behind it the text fails wherever it is. {@link Long#MAX_VALUE} for none
 * @param wantsLogprobs whether the sink wants them
 * @param constraint what the new tokens must match; null for none
 * @param adapter the number of the {@link dev.outpost.models.RowAdapters adapter} that computes it; 0 for the model alone
 * @param sink takes the tokens
 */
public record BatchRequest(
        int[] prompt,
        Sampling sampling,
        String key,
        int priority,
        long deadlineNanos,
        boolean wantsLogprobs,
        @Nullable TokenConstraint constraint,
        int adapter,
        TokenSink sink) {
    /** Without a deadline, a constraint and a priority. */
    public static BatchRequest of(int[] prompt, Sampling sampling, TokenSink sink) {
        return new BatchRequest(prompt, sampling, "", 0, Long.MAX_VALUE, false, null, 0, sink);
    }

    public BatchRequest withKey(String value) {
        return new BatchRequest(
                prompt, sampling, value, priority, deadlineNanos, wantsLogprobs, constraint, adapter, sink);
    }

    public BatchRequest withPriority(int value) {
        return new BatchRequest(prompt, sampling, key, value, deadlineNanos, wantsLogprobs, constraint, adapter, sink);
    }

    public BatchRequest withDeadline(long nanos) {
        return new BatchRequest(prompt, sampling, key, priority, nanos, wantsLogprobs, constraint, adapter, sink);
    }

    public BatchRequest withLogprobs(boolean wanted) {
        return new BatchRequest(prompt, sampling, key, priority, deadlineNanos, wanted, constraint, adapter, sink);
    }

    public BatchRequest withConstraint(TokenConstraint value) {
        return new BatchRequest(prompt, sampling, key, priority, deadlineNanos, wantsLogprobs, value, adapter, sink);
    }

    public BatchRequest withAdapter(int number) {
        return new BatchRequest(
                prompt, sampling, key, priority, deadlineNanos, wantsLogprobs, constraint, number, sink);
    }
}
