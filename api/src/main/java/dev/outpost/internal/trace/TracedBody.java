package dev.outpost.internal.trace;

import dev.outpost.internal.TensorState;
import java.util.List;

/** The function to trace. */
@FunctionalInterface
public interface TracedBody {
    List<? extends TensorState> apply(List<? extends TensorState> inputs);
}
