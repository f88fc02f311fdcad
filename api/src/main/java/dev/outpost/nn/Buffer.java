package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Part of a module's state that is computed rather than trained, such as a running mean. */
public final class Buffer extends ModuleTensor {
    public Buffer(Shape shape, DType dtype, Initializer initializer) {
        super(shape, dtype, initializer);
    }

    @Override
    String kind() {
        return "buffer";
    }

    @Override
    void placed(Tensor placed) {}
}
