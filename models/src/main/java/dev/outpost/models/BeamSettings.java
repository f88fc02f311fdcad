package dev.outpost.models;

/**
 * How texts are searched by beams.
 *
 * @param beams how many are kept, and told at the end
 * @param maxTokens how many tokens are generated at most
 * @param lengthPenalty the sum of logarithms of a text is divided by its length to the power of it: above 0 it favours longer texts
 * @param stopsEarly whether the search is over as soon as as many texts have ended as there are beams, although a better one may come
 */
public record BeamSettings(int beams, int maxTokens, double lengthPenalty, boolean stopsEarly) {
    public BeamSettings {
        if (beams < 1 || maxTokens < 1) {
            throw new IllegalArgumentException(
                    "beam search: expected at least 1 beam and 1 token, got " + beams + " and " + maxTokens);
        }
    }

    /** With the mean of logarithms as a score, until nothing better can come. */
    public static BeamSettings of(int beams, int maxTokens) {
        return new BeamSettings(beams, maxTokens, 1, false);
    }
}
