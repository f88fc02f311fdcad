package dev.outpost.inference;

import dev.outpost.models.Sampling;
import dev.outpost.models.constraint.TokenConstraint;
import org.jspecify.annotations.Nullable;

/**
 * A text to generate.
 *
 * @param prompt tokens of the prompt, at least one
 * @param sampling the rule by which tokens are chosen, and the limit of new tokens
 * @param key identifies the caller; the key with the fewest tokens so far is served first
 * @param priority among waiting texts, the highest priority is served first; texts of the lowest priority are preempted
 *     first
 * @param deadlineNanos a value of {@link System#nanoTime}; a text that is not finished by then fails. {@link
 *     Long#MAX_VALUE} for none
 * @param wantsLogprobs true if the sink receives log probabilities
 * @param constraint the constraint that the new tokens must match; null for none
 * @param adapter the number of the {@link dev.outpost.models.RowAdapters adapter} of this text; 0 for no adapter
 * @param sink receives the tokens
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
    /** Returns a request without a deadline or a constraint, of the default priority. */
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
