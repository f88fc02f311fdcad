package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one direction of one layer.
 *
 * @param input {@code [gates · hidden, input]}
 * @param hidden {@code [gates · hidden, output]}
 * @param inputBias {@code [gates · hidden]}, or null
 * @param hiddenBias {@code [gates · hidden]}, or null
 * @param projection {@code [output, hidden]}, or null if hidden states are not projected
 */
record DirectionWeights(
        Parameter input,
        Parameter hidden,
        @Nullable Parameter inputBias,
        @Nullable Parameter hiddenBias,
        @Nullable Parameter projection) {

    Tensor ofInput(Tensor rows) {
        return Functional.linear(rows, input.tensor(), values(inputBias));
    }

    Tensor ofHidden(Tensor rows) {
        return Functional.linear(rows, hidden.tensor(), values(hiddenBias));
    }

    Tensor projected(Tensor rows) {
        return projection == null ? rows : Functional.linear(rows, projection.tensor(), null);
    }

    private static @Nullable Tensor values(@Nullable Parameter bias) {
        return bias == null ? null : bias.tensor();
    }
}
