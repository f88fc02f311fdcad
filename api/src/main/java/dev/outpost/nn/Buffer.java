package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** A part of a module's state that is computed and not trained, such as a running mean. */
public final class Buffer extends ModuleTensor {
    /** Describes a buffer; its values are created when its module is moved to a machine. */
    public Buffer(Shape shape, DType dtype, Initializer initializer) {
        super(shape, dtype, initializer);
    }

    private Buffer(Tensor tensor) {
        super(tensor);
    }

    /** Makes a buffer from an existing tensor. */
    public static Buffer of(Tensor tensor) {
        return new Buffer(ArgumentChecks.required(tensor, "the tensor"));
    }

    @Override
    String kind() {
        return "buffer";
    }

    @Override
    void placed(Tensor placed) {}
}
