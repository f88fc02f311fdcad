package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.jspecify.annotations.Nullable;

/** A tensor that training changes. When its module is on a machine, it is a leaf that requires gradients. */
public final class Parameter extends ModuleTensor {
    private boolean requiresGrad;

    /** Describes a parameter; its values are created when its module is moved to a machine. */
    public Parameter(Shape shape, DType dtype, Initializer initializer) {
        super(shape, dtype, initializer);
        requiresGrad = true;
    }

    private Parameter(Tensor tensor) {
        super(tensor);
        requiresGrad = tensor.dtype().isFloating();
        tensor.requiresGrad(requiresGrad);
    }

    /** Makes a parameter from an existing tensor. */
    public static Parameter of(Tensor tensor) {
        return new Parameter(ArgumentChecks.required(tensor, "the tensor"));
    }

    /** Returns the gradient that backward computed, or null. The caller owns the returned handle. */
    public @Nullable Tensor grad() {
        return isPlaced() ? tensor().grad() : null;
    }

    /** Drops the gradient. */
    public void zeroGrad() {
        if (isPlaced()) {
            tensor().grad(null);
        }
    }

    public boolean requiresGrad() {
        return requiresGrad;
    }

    /** Sets whether backward computes the parameter's gradient. Optimizers skip a parameter without a gradient. */
    public Parameter requiresGrad(boolean required) {
        requiresGrad = required;
        if (isPlaced()) {
            tensor().requiresGrad(required);
        }
        return this;
    }

    @Override
    String kind() {
        return "parameter";
    }

    @Override
    void placed(Tensor placed) {
        placed.requiresGrad(requiresGrad);
    }
}
