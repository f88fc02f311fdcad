package dev.outpost.models;

/**
 * The settings of a beam search.
 *
 * @param beams number of beams, and of texts in the result
 * @param maxTokens the maximum number of tokens that are generated
 * @param lengthPenalty the score is the sum of log probabilities divided by {@code length^lengthPenalty}; above 0 it
 *     favours longer texts
 * @param stopsEarly true to stop once {@code beams} texts have ended, although a better text might follow
 */
public record BeamSettings(int beams, int maxTokens, double lengthPenalty, boolean stopsEarly) {
    public BeamSettings {
        if (beams < 1 || maxTokens < 1) {
            throw new IllegalArgumentException(
                    "beam search: expected at least 1 beam and 1 token, got " + beams + " and " + maxTokens);
        }
    }

    /** Returns settings that score by the mean log probability and search until no better text is possible. */
    public static BeamSettings of(int beams, int maxTokens) {
        return new BeamSettings(beams, maxTokens, 1, false);
    }
}
