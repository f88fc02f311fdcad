package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.function.UnaryOperator;

/** Two linear layers with an activation and dropout in between. */
record FeedForward(Linear first, Dropout dropout, Linear second, UnaryOperator<Tensor> activation) {
    Tensor of(Tensor input) {
        return second.call(dropout.call(activation.apply(first.call(input))));
    }
}
