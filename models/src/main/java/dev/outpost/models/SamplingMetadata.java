package dev.outpost.models;

/**
 * The rule for one choice of a token.
 *
 * @param sampling the rule; its penalties, bias and constraint use the {@link SequenceInit} of the text
 * @param drawn the drawn number from 0, inclusive, to 1, exclusive, which selects one of the remaining tokens
 * @param wantsLogprobs true if log probabilities are requested
 * @param isConstrained true if the text has a constraint
 * @param tokensLeft the number of tokens that the text may still get, including this one. A constraint ends the text
 *     within this number if a matching text is short enough
 */
public record SamplingMetadata(
        Sampling sampling, float drawn, boolean wantsLogprobs, boolean isConstrained, int tokensLeft) {
    /** Takes the best token. */
    public static final SamplingMetadata BEST = new SamplingMetadata(Sampling.greedy(), 0, false, false, 1);
}
