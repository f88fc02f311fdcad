package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.Locale;

/** The function that an {@link RNN} applies to its sums. */
public enum RnnNonlinearity {
    TANH,
    RELU;

    Tensor of(Tensor sums) {
        return this == TANH ? sums.tanh() : sums.relu();
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
