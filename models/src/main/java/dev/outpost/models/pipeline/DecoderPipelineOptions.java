package dev.outpost.models.pipeline;

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
 * @param timeout how long a machine waits for what another one computes, and a text for machines of which none computes anything,
 *     before a machine is looked for that does not do what it was told
 */
public record DecoderPipelineOptions(
        OptionalInt stages, @Nullable DType dtype, long textTokens, Duration timeout) {
    private static final long TEXT_TOKENS = 4096;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    public DecoderPipelineOptions {
        if (textTokens < 1) {
            throw new IllegalArgumentException("pipeline: expected room for 1 token or more, got " + textTokens);
        }
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("pipeline: expected a patience above zero, got " + timeout);
        }
    }

    /** The fewest machines that have room, weights as they are stored, room for 4,096 tokens, a patience of one minute. */
    public DecoderPipelineOptions() {
        this(OptionalInt.empty(), null, TEXT_TOKENS, TIMEOUT);
    }

    /** On exactly so many machines. */
    public DecoderPipelineOptions stages(int count) {
        return new DecoderPipelineOptions(OptionalInt.of(count), dtype, textTokens, timeout);
    }

    public DecoderPipelineOptions dtype(@Nullable DType wanted) {
        return new DecoderPipelineOptions(stages, wanted, textTokens, timeout);
    }

    public DecoderPipelineOptions textTokens(long max) {
        return new DecoderPipelineOptions(stages, dtype, max, timeout);
    }

    /** Longer than a machine takes for 256 tokens of each text of a batch. */
    public DecoderPipelineOptions timeout(Duration longest) {
        return new DecoderPipelineOptions(stages, dtype, textTokens, longest);
    }
}
