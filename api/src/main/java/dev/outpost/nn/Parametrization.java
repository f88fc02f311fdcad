package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.Shape;
import java.util.List;

/**
 * How a parameter is computed from tensors that are trained in its place; see {@link Module#registerParametrization}. It may have
 * parameters and buffers of its own.
 */
public abstract class Parametrization extends Module {
    /** The shapes of what is trained, for a parameter of that shape: the same one unless this says otherwise. */
    protected List<Shape> originals(Shape shape) {
        return List.of(shape);
    }

    /** The parameter, from what is trained. Recorded for autograd; called at each use. */
    protected abstract Tensor value(List<Tensor> originals);

    /** Something that gives this value, or comes close: the value itself unless this says otherwise. Without autograd. */
    protected List<Tensor> rightInverse(Tensor value) {
        return List.of(value);
    }

    /** It has been registered; these are trained. They are placed on a machine before what this has of its own. */
    protected void attached(List<Parameter> originals) {}
}
