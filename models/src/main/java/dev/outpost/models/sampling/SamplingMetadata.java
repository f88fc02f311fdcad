package dev.outpost.models.sampling;

import dev.outpost.models.Sampling;

/**
 * How the next token of a text is chosen.
 *
 * @param sampling the rule; its penalties, bias and constraint go by the {@link SequenceInit} of the text
 * @param drawn from 0 to below 1; chooses among what remains
 * @param wantsLogprobs whether logarithms of probabilities are wanted
 * @param isConstrained whether the text's constraint holds
 * @param tokensLeft the most tokens that the text can still have, this one included. A constraint leads to its end by then, unless no
 *     text that matches it is that short
 */
public record SamplingMetadata(
        Sampling sampling, float drawn, boolean wantsLogprobs, boolean isConstrained, int tokensLeft) {
    /** The best token. */
    public static final SamplingMetadata BEST = new SamplingMetadata(Sampling.greedy(), 0, false, false, 1);
}
