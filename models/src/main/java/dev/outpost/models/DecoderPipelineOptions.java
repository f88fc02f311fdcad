package dev.outpost.models;

import dev.outpost.types.DType;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a decoder is cut over machines. Immutable.
 *
 * @param stages how many machines are used; the fewest that have room where it is empty
 * @param dtype of weights, caches and what goes between machines; that of the stored weights where it is null
 * @param textTokens how many tokens all texts that are generated at a time can have together, prompts included
 * @param patience how long a machine waits for what another one computes, and a text for machines of which none computes anything,
 *     before a machine is looked for that does not do what it was told
 */
public record DecoderPipelineOptions(OptionalInt stages, @Nullable DType dtype, long textTokens, Duration patience) {
    private static final long TEXT_TOKENS = 4096;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    public DecoderPipelineOptions {
        if (textTokens < 1) {
            throw new IllegalArgumentException("pipeline: expected room for 1 token or more, got " + textTokens);
        }
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("pipeline: expected a patience above zero, got " + patience);
        }
    }

    /** The fewest machines that have room, weights as they are stored, room for 4,096 tokens, a patience of one minute. */
    public DecoderPipelineOptions() {
        this(OptionalInt.empty(), null, TEXT_TOKENS, PATIENCE);
    }

    /** On exactly so many machines. */
    public DecoderPipelineOptions stages(int count) {
        return new DecoderPipelineOptions(OptionalInt.of(count), dtype, textTokens, patience);
    }

    public DecoderPipelineOptions dtype(@Nullable DType wanted) {
        return new DecoderPipelineOptions(stages, wanted, textTokens, patience);
    }

    public DecoderPipelineOptions textTokens(long most) {
        return new DecoderPipelineOptions(stages, dtype, most, patience);
    }

    /** Longer than a machine takes for 256 tokens of each text of a batch. */
    public DecoderPipelineOptions patience(Duration longest) {
        return new DecoderPipelineOptions(stages, dtype, textTokens, longest);
    }
}
