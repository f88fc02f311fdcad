package dev.outpost.cli.models;

import dev.outpost.models.Sampling;
import picocli.CommandLine.Option;

/** The options of sampling. */
final class SamplingOptions {
    @Option(
            names = "--temperature",
            defaultValue = "0.7",
            description = "0 takes the best token each time; ${DEFAULT-VALUE} unless given.")
    private double temperature;

    @Option(names = "--top-k", defaultValue = "0", description = "Only so many of the best tokens; 0 for all.")
    private int topK;

    @Option(
            names = "--top-p",
            defaultValue = "1",
            description = "Only the best tokens whose probabilities sum up to this; ${DEFAULT-VALUE} unless given.")
    private double topP;

    @Option(
            names = "--min-p",
            defaultValue = "0",
            description = "Only tokens with this part of the best one's probability; ${DEFAULT-VALUE} unless given.")
    private double minP;

    @Option(
            names = "--typical-p",
            defaultValue = "1",
            description = "Only the tokens nearest to the expected information whose probabilities sum up to this;"
                    + " ${DEFAULT-VALUE} unless given.")
    private double typicalP;

    @Option(
            names = "--repetition-penalty",
            defaultValue = "1",
            description = "Above 1, tokens that are in the text are less likely; ${DEFAULT-VALUE} unless given.")
    private double repetitionPenalty;

    @Option(names = "--seed", defaultValue = "0", description = "Decides what is drawn; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Option(
            names = "--max-tokens",
            defaultValue = "256",
            description = "How many tokens are generated at most; ${DEFAULT-VALUE} unless given.")
    private int maxTokens;

    @Option(names = "--ignore-eos", description = "Go on behind the token that ends a text, up to --max-tokens.")
    private boolean ignoresEnd;

    Sampling sampling() {
        Sampling sampling = Sampling.temperature(temperature)
                .topK(topK)
                .topP(topP)
                .minP(minP)
                .typicalP(typicalP)
                .repetitionPenalty(repetitionPenalty)
                .seed(seed)
                .maxTokens(maxTokens);
        return ignoresEnd ? sampling.ignoreEnd() : sampling;
    }
}
