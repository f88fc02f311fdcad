package dev.outpost.models;

/**
 * How the token behind a row of a {@link ModelStep} is chosen.
 *
 * @param temperature scores are divided by it; 0 takes the best token
 * @param topK how many of the best tokens remain; 0 for all
 * @param topP the best tokens remain whose probabilities sum up to this
 * @param minP tokens remain that have at least this part of the best one's probability
 * @param drawn from 0 to below 1; chooses among what remains
 * @param wantsLogprobs whether logarithms of probabilities are wanted, see {@link StepResult}
 * @param bias added to the scores before anything else, one for each token of the vocabulary; null for none
 */
public record NextToken(
        double temperature, int topK, double topP, double minP, float drawn, boolean wantsLogprobs, float[] bias) {
    /** The best token. */
    public static final NextToken BEST = new NextToken(0, 0, 1, 0, 0, false, null);

    boolean isBest() {
        return temperature == 0;
    }

    /** Whether some tokens are cut off, for which scores are sorted. */
    boolean cuts() {
        return !isBest() && (topK > 0 || topP < 1 || minP > 0);
    }
}
