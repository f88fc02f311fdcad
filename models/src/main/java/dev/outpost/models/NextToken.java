package dev.outpost.models;

/**
 * How the token behind a row of a {@link ModelStep} is chosen.
 *
 * @param sampling the rule; its penalties, bias and constraint go by what {@link ModelStep#begin} said of the text
 * @param drawn from 0 to below 1; chooses among what remains
 * @param wantsLogprobs whether logarithms of probabilities are wanted, see {@link StepResult}
 * @param isConstrained whether the text's constraint holds
 */
public record NextToken(Sampling sampling, float drawn, boolean wantsLogprobs, boolean isConstrained) {
    /** The best token. */
    public static final NextToken BEST = new NextToken(Sampling.greedy(), 0, false, false);
}
