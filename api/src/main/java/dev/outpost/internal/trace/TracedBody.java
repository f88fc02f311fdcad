package dev.outpost.internal.trace;

import dev.outpost.internal.TensorState;
import java.util.List;

/** A function that is traced. */
@FunctionalInterface
public interface TracedBody {
    List<? extends TensorState> apply(List<? extends TensorState> inputs);
}
