package dev.outpost.models;

import java.util.Map;
import java.util.TreeMap;

/**
 * How the next token is chosen, and for how long. Immutable; each method answers another one.
 *
 * <p>Penalties and the bias change the scores first; then come the temperature and what cuts unlikely tokens off: {@code topK},
 * {@code topP}, {@code minP}, {@code typicalP}, in this order. Of what remains, one is drawn. Equal seeds draw equal tokens.
 *
 * @param temperature scores are divided by it; 0 takes the best token and draws nothing
 * @param topK how many of the best tokens remain; 0 for all
 * @param topP the best tokens remain whose probabilities sum up to this
 * @param typicalP the tokens remain whose information is nearest to what is expected, with probabilities that sum up to this
 *     (Meister et al., 2022)
 * @param minP tokens remain that have at least this part of the best one's probability
 * @param repetitionPenalty the scores of tokens that are in the text are divided by it where positive, and multiplied elsewhere
 * @param presencePenalty taken off the scores of tokens that were generated
 * @param frequencyPenalty as often as they were
 * @param logitBias added to the scores of tokens
 * @param seed of what is drawn
 * @param maxTokens how many tokens are generated at most
 * @param ignoresEnd whether generation goes on behind the token that ends a text
 */
public record Sampling(
        double temperature,
        int topK,
        double topP,
        double minP,
        double typicalP,
        double repetitionPenalty,
        double presencePenalty,
        double frequencyPenalty,
        Map<Integer, Double> logitBias,
        long seed,
        int maxTokens,
        boolean ignoresEnd) {
    private static final Sampling STANDARD = new Sampling(0, 0, 1, 0, 1, 1, 0, 0, Map.of(), 0, 256, false);

    public Sampling {
        require(temperature >= 0 && Double.isFinite(temperature), "temperature", "at least 0", temperature);
        require(topK >= 0, "topK", "at least 0", topK);
        require(topP > 0 && topP <= 1, "topP", "above 0 and at most 1", topP);
        require(minP >= 0 && minP <= 1, "minP", "from 0 to 1", minP);
        require(typicalP > 0 && typicalP <= 1, "typicalP", "above 0 and at most 1", typicalP);
        require(repetitionPenalty > 0, "repetitionPenalty", "above 0", repetitionPenalty);
        require(maxTokens >= 1, "maxTokens", "at least 1", maxTokens);
        logitBias = Map.copyOf(logitBias);
    }

    private static void require(boolean holds, String what, String expected, Number got) {
        if (!holds) {
            throw new IllegalArgumentException("sampling: " + what + " must be " + expected + ", got " + got);
        }
    }

    /** The best token each time. */
    public static Sampling greedy() {
        return STANDARD;
    }

    /** Draws by the probabilities at a temperature. */
    public static Sampling temperature(double temperature) {
        return STANDARD.withTemperature(temperature);
    }

    public Sampling withTemperature(double value) {
        return new Sampling(
                value,
                topK,
                topP,
                minP,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling topK(int value) {
        return new Sampling(
                temperature,
                value,
                topP,
                minP,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling topP(double value) {
        return new Sampling(
                temperature,
                topK,
                value,
                minP,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling minP(double value) {
        return new Sampling(
                temperature,
                topK,
                topP,
                value,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling typicalP(double value) {
        return new Sampling(
                temperature,
                topK,
                topP,
                minP,
                value,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling repetitionPenalty(double value) {
        return penalties(value, presencePenalty, frequencyPenalty);
    }

    public Sampling presencePenalty(double value) {
        return penalties(repetitionPenalty, value, frequencyPenalty);
    }

    public Sampling frequencyPenalty(double value) {
        return penalties(repetitionPenalty, presencePenalty, value);
    }

    private Sampling penalties(double repetition, double presence, double frequency) {
        return new Sampling(
                temperature,
                topK,
                topP,
                minP,
                typicalP,
                repetition,
                presence,
                frequency,
                logitBias,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling logitBias(int token, double bias) {
        Map<Integer, Double> more = new TreeMap<>(logitBias);
        more.put(token, bias);
        return new Sampling(
                temperature,
                topK,
                topP,
                minP,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                more,
                seed,
                maxTokens,
                ignoresEnd);
    }

    public Sampling seed(long value) {
        return limits(value, maxTokens, ignoresEnd);
    }

    public Sampling maxTokens(int value) {
        return limits(seed, value, ignoresEnd);
    }

    /** Goes on to {@link #maxTokens} whatever is generated. */
    public Sampling ignoreEnd() {
        return limits(seed, maxTokens, true);
    }

    private Sampling limits(long newSeed, int max, boolean ignores) {
        return new Sampling(
                temperature,
                topK,
                topP,
                minP,
                typicalP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                logitBias,
                newSeed,
                max,
                ignores);
    }

    boolean isGreedy() {
        return temperature == 0;
    }

    boolean hasPenalties() {
        return repetitionPenalty != 1 || presencePenalty != 0 || frequencyPenalty != 0;
    }
}
