package dev.outpost.types;

/** The dtype and the shape of a value, known before it is computed. */
public record TensorType(DType dtype, Shape shape) {

    /** Returns the number of bytes that the elements take when stored densely. */
    public long bytes() {
        // Avoid a division here: this is called several times for every recorded value.
        long bytes = shape.elements() * dtype.bytes();
        if (bytes < 0 || Math.multiplyHigh(shape.elements(), dtype.bytes()) != 0) {
            throw new OpException("shape", "the number of bytes overflows, got " + this);
        }
        return bytes;
    }

    /** Formats the type as {@code float32[64,128]}. */
    @Override
    public String toString() {
        return dtype.label() + shape.toString().replace(" ", "");
    }
}
