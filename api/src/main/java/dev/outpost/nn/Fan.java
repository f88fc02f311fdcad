package dev.outpost.nn;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** The number of terms in the sums that use a weight: in the forward pass, or in the backward pass. */
public enum Fan {
    /** The number of inputs of an output: keeps the variance in the forward pass. */
    IN(1),
    /** The number of outputs of an input: keeps the variance of gradients in the backward pass. */
    OUT(0);

    private final int dim;

    Fan(int dim) {
        this.dim = dim;
    }

    /** Returns the number for a weight {@code [out, in, kernel…]}. */
    public long of(Shape weight) {
        if (weight.rank() < 2) {
            throw new OpException("fan", "a weight needs two dimensions or more, got " + weight);
        }
        long receptiveField = 1;
        for (int kernelDim = 2; kernelDim < weight.rank(); kernelDim++) {
            receptiveField *= weight.size(kernelDim);
        }
        return weight.size(dim) * receptiveField;
    }
}
