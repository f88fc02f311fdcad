package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.DType;

/** The value of a parameter that is computed from others at each use. */
interface ComputedValue {
    /** Computes the value; the caller owns it. */
    Tensor value();

    /** True if the values that it is computed from are on a machine. */
    boolean isPlaced();

    DType dtype();
}
