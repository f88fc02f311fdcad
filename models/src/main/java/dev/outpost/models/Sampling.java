package dev.outpost.models;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The rules that choose the next token, and the limit of new tokens. Immutable. Each setter returns a copy.
 *
 * <p>Penalties and the bias change the scores first. Then the temperature is applied, and then the filters {@code topK},
 * {@code topP}, {@code minP} and {@code typicalP}, in this order, remove unlikely tokens. One of the remaining tokens is
 * drawn. Equal seeds draw equal tokens.
 *
 * @param temperature the divisor of the scores; 0 takes the best token without drawing
 * @param topK number of best tokens that remain; 0 for all
 * @param topP the best tokens remain until their probabilities sum up to this
 * @param typicalP the tokens whose information is nearest to the expected information remain until their
 *     probabilities sum up to this (Meister et al., 2022)
 * @param minP tokens remain whose probability is at least this fraction of the best one's
 * @param repetitionPenalty divides the positive scores of tokens that are in the text, and multiplies their other scores
 * @param presencePenalty a number that is subtracted from the scores of tokens that were generated
 * @param frequencyPenalty a number that is subtracted from the score of a token, once for each time that it was
 *     generated
 * @param logitBias numbers that are added to the scores of these tokens
 * @param seed the seed of the draws
 * @param maxTokens the maximum number of tokens that are generated
 * @param ignoresEnd true to continue after a token that ends the text
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

    /** Returns rules that always take the best token. */
    public static Sampling greedy() {
        return STANDARD;
    }

    /**
     * Returns rules that draw by the probabilities at a temperature.
     *
     * {@snippet file="ModelExamplesTest.java" region="sampling"}
     */
    public static Sampling temperature(double temperature) {
        return STANDARD.withTemperature(temperature);
    }

    public Sampling withTemperature(double value) {
        return with(values -> values.temperature = value);
    }

    public Sampling topK(int value) {
        return with(values -> values.topK = value);
    }

    public Sampling topP(double value) {
        return with(values -> values.topP = value);
    }

    public Sampling minP(double value) {
        return with(values -> values.minP = value);
    }

    public Sampling typicalP(double value) {
        return with(values -> values.typicalP = value);
    }

    public Sampling repetitionPenalty(double value) {
        return with(values -> values.repetitionPenalty = value);
    }

    public Sampling presencePenalty(double value) {
        return with(values -> values.presencePenalty = value);
    }

    public Sampling frequencyPenalty(double value) {
        return with(values -> values.frequencyPenalty = value);
    }

    public Sampling logitBias(int token, double bias) {
        Map<Integer, Double> more = new TreeMap<>(logitBias);
        more.put(token, bias);
        return with(values -> values.logitBias = more);
    }

    public Sampling seed(long value) {
        return with(values -> values.seed = value);
    }

    public Sampling maxTokens(int value) {
        return with(values -> values.maxTokens = value);
    }

    /** Continues to {@link #maxTokens}, even after a token that ends the text. */
    public Sampling ignoreEnd() {
        return with(values -> values.ignoresEnd = true);
    }

    private Sampling with(Consumer<Values> change) {
        Values values = new Values(this);
        change.accept(values);
        return values.sampling();
    }

    /** A mutable copy of the values. */
    private static final class Values {
        private double temperature;
        private int topK;
        private double topP;
        private double minP;
        private double typicalP;
        private double repetitionPenalty;
        private double presencePenalty;
        private double frequencyPenalty;
        private Map<Integer, Double> logitBias;
        private long seed;
        private int maxTokens;
        private boolean ignoresEnd;

        Values(Sampling from) {
            temperature = from.temperature;
            topK = from.topK;
            topP = from.topP;
            minP = from.minP;
            typicalP = from.typicalP;
            repetitionPenalty = from.repetitionPenalty;
            presencePenalty = from.presencePenalty;
            frequencyPenalty = from.frequencyPenalty;
            logitBias = from.logitBias;
            seed = from.seed;
            maxTokens = from.maxTokens;
            ignoresEnd = from.ignoresEnd;
        }

        Sampling sampling() {
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
                    seed,
                    maxTokens,
                    ignoresEnd);
        }
    }

    boolean isGreedy() {
        return temperature == 0;
    }

    boolean hasPenalties() {
        return repetitionPenalty != 1 || presencePenalty != 0 || frequencyPenalty != 0;
    }
}
