package dev.outpost.models.pipeline;

import dev.outpost.types.DType;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The options for dividing a decoder over machines. Immutable.
 *
 * @param stages number of machines; empty for the fewest that have enough memory
 * @param dtype the dtype of weights, caches and transfers between machines; null for the dtype of the stored weights
 * @param textTokens the maximum number of tokens of all texts that are generated at a time, prompts included
 * @param timeout the maximum time that a machine waits for the results of another one, or that texts wait while no
 *     machine computes anything; then the model looks for the machine at fault
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

    /**
     * Makes the default options: the fewest machines that have enough memory, the stored dtype, 4,096 tokens, and a timeout
     * of a minute.
     */
    public DecoderPipelineOptions() {
        this(OptionalInt.empty(), null, TEXT_TOKENS, TIMEOUT);
    }

    /** Sets the number of machines. */
    public DecoderPipelineOptions stages(int count) {
        return new DecoderPipelineOptions(OptionalInt.of(count), dtype, textTokens, timeout);
    }

    public DecoderPipelineOptions dtype(@Nullable DType wanted) {
        return new DecoderPipelineOptions(stages, wanted, textTokens, timeout);
    }

    public DecoderPipelineOptions textTokens(long max) {
        return new DecoderPipelineOptions(stages, dtype, max, timeout);
    }

    /** Sets the timeout. It must be longer than a machine takes for 256 tokens of each text of a batch. */
    public DecoderPipelineOptions timeout(Duration longest) {
        return new DecoderPipelineOptions(stages, dtype, textTokens, longest);
    }
}
