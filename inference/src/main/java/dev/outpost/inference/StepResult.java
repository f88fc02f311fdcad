package dev.outpost.inference;

import dev.outpost.HostTensor;
import java.util.Arrays;

/**
 * The tokens that a step chose, in the order of {@link ModelStep#choose}. Immutable.
 *
 * @param tokens the chosen tokens, one for each choice
 * @param logprobs the log probabilities, one for each choice; null if the step requested none
 */
public record StepResult(int[] tokens, TokenLogprobs[] logprobs) {
    /** The number of likeliest tokens in the result. */
    public static final int LIKELIEST = 20;

    /**
     * Log probabilities at temperature 1, before the bias.
     *
     * @param chosen the log probability of the chosen token
     * @param tokens the likeliest tokens, the best first
     * @param values the log probabilities of these tokens
     */
    public record TokenLogprobs(float chosen, int[] tokens, float[] values) {}

    static StepResult ofTokens(HostTensor values, int count) {
        long[] all = values.toLongArray();
        return new StepResult(
                Arrays.stream(all, 0, count).mapToInt(Math::toIntExact).toArray(), null);
    }

    /**
     * @param values {@code [choices, 2 + 2 · likeliest]}: chosen token, its log probability, the likeliest tokens,
     *     their log probabilities
     */
    static StepResult ofRows(HostTensor values, int count) {
        int width = Math.toIntExact(values.shape().size(1));
        int likeliest = (width - 2) / 2;
        float[] all = values.toFloatArray();
        int[] tokens = new int[count];
        TokenLogprobs[] logprobs = new TokenLogprobs[count];
        for (int choice = 0; choice < count; choice++) {
            int at = choice * width;
            tokens[choice] = (int) all[at];
            int[] best = new int[likeliest];
            for (int rank = 0; rank < likeliest; rank++) {
                best[rank] = (int) all[at + 2 + rank];
            }
            float[] theirs = Arrays.copyOfRange(all, at + 2 + likeliest, at + width);
            logprobs[choice] = new TokenLogprobs(all[at + 1], best, theirs);
        }
        return new StepResult(tokens, logprobs);
    }
}
