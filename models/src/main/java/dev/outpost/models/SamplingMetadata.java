package dev.outpost.models;

/**
 * How the token behind a row of a {@link ModelStep} is chosen.
 *
 * @param sampling the rule; its penalties, bias and constraint go by what {@link ModelStep#begin} said of the text
 * @param drawn from 0 to below 1; chooses among what remains
 * @param wantsLogprobs whether logarithms of probabilities are wanted, see {@link StepResult}
 * @param isConstrained whether the text's constraint holds
 * @param tokensLeft the most tokens that the text can still have, this one included. A constraint leads to its end by then, unless no
 *     text that matches it is that short
 */
public record SamplingMetadata(
        Sampling sampling, float drawn, boolean wantsLogprobs, boolean isConstrained, int tokensLeft) {
    /** The best token. */
    public static final SamplingMetadata BEST = new SamplingMetadata(Sampling.greedy(), 0, false, false, 1);
}
