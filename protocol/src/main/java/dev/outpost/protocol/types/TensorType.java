package dev.outpost.protocol.types;

/** What is known of every value before it is computed: its dtype and its shape. */
public record TensorType(DType dtype, Shape shape) {

    /** The bytes that the elements take when stored densely. */
    public long bytes() {
        return Math.multiplyExact(shape.elements(), (long) dtype.bytes());
    }

    /** Such as {@code float32[64,128]}. */
    @Override
    public String toString() {
        return dtype.label() + shape.toString().replace(" ", "");
    }
}
