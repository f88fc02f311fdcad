package dev.outpost.models;

/**
 * The rule for one choice of a token.
 *
 * @param sampling the rule; its penalties, bias and constraint use the {@link SequenceInit} of the text
 * @param drawn the drawn number from 0 to below 1, which selects one of the remaining tokens
 * @param wantsLogprobs true if log probabilities are requested
 * @param isConstrained true if the text has a constraint
 * @param tokensLeft the most tokens that the text can still have, including this one. A constraint ends the text by then,
 *     unless no matching text is that short
 */
public record SamplingMetadata(
        Sampling sampling, float drawn, boolean wantsLogprobs, boolean isConstrained, int tokensLeft) {
    /** Takes the best token. */
    public static final SamplingMetadata BEST = new SamplingMetadata(Sampling.greedy(), 0, false, false, 1);
}
