package dev.outpost.nn;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/** How many numbers a weight's element is summed with: on the way forward, or on the way back. */
public enum Fan {
    /** Inputs of an output: the variance is kept on the way forward. */
    IN(1),
    /** Outputs of an input: the variance of gradients is kept on the way back. */
    OUT(0);

    private final int dim;

    Fan(int dim) {
        this.dim = dim;
    }

    /** The count for a weight {@code [out, in, kernel…]}. */
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
