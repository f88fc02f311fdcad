package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * Computes a parameter from tensors that are trained instead; see {@link Module#registerParametrization}. A
 * parametrization may have its own parameters and buffers.
 */
public abstract class Parametrization extends Module {
    /** Returns the shapes of the trained tensors for a parameter of this shape. The default is one tensor of the same shape. */
    protected List<Shape> originals(Shape shape) {
        return List.of(shape);
    }

    /** Computes the parameter from the trained tensors. Recorded for autograd; called at each use. */
    protected abstract Tensor value(List<Tensor> originals);

    /**
     * Returns trained tensors from which this value, or a similar value, is computed; by default the value itself.
     * Called without autograd.
     */
    protected List<Tensor> rightInverse(Tensor value) {
        return List.of(value);
    }

    /**
     * Called after registration, with the trained parameters. They are placed on a machine before the parametrization's own parameters and
     * buffers.
     */
    protected void attached(List<Parameter> originals) {}
}
