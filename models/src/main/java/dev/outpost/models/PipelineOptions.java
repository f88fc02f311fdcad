package dev.outpost.models;

import dev.outpost.types.DType;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a decoder is cut over machines. Immutable.
 *
 * @param stages how many machines are used; the fewest that have room where it is empty
 * @param dtype of weights, caches and what goes between machines; that of the stored weights where it is null
 * @param textTokens how many tokens all texts that are generated at a time can have together, prompts included
 */
public record PipelineOptions(OptionalInt stages, @Nullable DType dtype, long textTokens) {
    private static final long TEXT_TOKENS = 4096;

    public PipelineOptions {
        if (textTokens < 1) {
            throw new IllegalArgumentException("pipeline: expected room for 1 token or more, got " + textTokens);
        }
    }

    /** The fewest machines that have room, weights as they are stored, room for 4,096 tokens. */
    public PipelineOptions() {
        this(OptionalInt.empty(), null, TEXT_TOKENS);
    }

    /** On exactly so many machines. */
    public PipelineOptions stages(int count) {
        return new PipelineOptions(OptionalInt.of(count), dtype, textTokens);
    }

    public PipelineOptions dtype(@Nullable DType wanted) {
        return new PipelineOptions(stages, wanted, textTokens);
    }

    public PipelineOptions textTokens(long most) {
        return new PipelineOptions(stages, dtype, most);
    }
}
