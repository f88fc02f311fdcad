package dev.outpost.runtime.memory;

import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * A value on the machine: a buffer and the layout of the value's elements in it.
 *
 * @param buffer the memory, which other arrays may share
 * @param layout the places of the elements, in elements from the buffer's start
 */
public record Array(EngineBuffer buffer, Layout layout) {

    public static Array contiguous(EngineBuffer buffer, Shape shape) {
        return new Array(buffer, Layout.contiguous(shape));
    }

    public DType dtype() {
        return buffer.dtype();
    }

    public Shape shape() {
        return layout.shape();
    }

    public TensorType type() {
        return new TensorType(dtype(), shape());
    }
}
