package dev.outpost.models;

import dev.outpost.models.constraint.TokenConstraint;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One sampling rule for texts that begin together. The seed of each text is one more than that of the text before, and each
 * text draws as if it were generated alone. Not thread-safe.
 */
public final class BatchRule {
    private final Sampling sampling;
    private final @Nullable TokenConstraint constraint;
    private int chosen;

    public BatchRule(Sampling sampling, @Nullable TokenConstraint constraint) {
        this(sampling, constraint, 0);
    }

    /** @param chosen number of tokens that were already chosen for each text */
    public BatchRule(Sampling sampling, @Nullable TokenConstraint constraint, int chosen) {
        this.sampling = sampling;
        this.constraint = constraint;
        this.chosen = chosen;
    }

    /** Returns the initial state of a text with this prompt. */
    public SequenceInit beginning(int[] prompt) {
        return new SequenceInit(prompt, prompt.length, sampling, constraint);
    }

    /** Returns the initial state of a text that continues after generated tokens. */
    public SequenceInit goingOn(int[] tokens, int promptTokens) {
        return new SequenceInit(tokens, promptTokens, sampling, constraint);
    }

    /** Returns the rule for the next token of each text. */
    public List<SamplingMetadata> next(int maxNumSeqs) {
        int number = chosen++;
        return IntStream.range(0, maxNumSeqs)
                .mapToObj(text -> new SamplingMetadata(
                        sampling,
                        SamplingRandom.of(sampling.seed() + text, number),
                        false,
                        constraint != null,
                        sampling.maxTokens() - number))
                .toList();
    }
}
