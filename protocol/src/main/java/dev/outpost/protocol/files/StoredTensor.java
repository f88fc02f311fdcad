package dev.outpost.protocol.files;

import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;

/**
 * A tensor in a file: its little-endian elements lie within the bytes {@code [begin, end)} of the file.
 *
 * @param name its name in the file
 * @param type dtype and shape
 * @param begin the first byte of the first element
 * @param end the position after the last byte of any element
 * @param strides the distance of neighbouring elements in each dimension, in elements
 */
public record StoredTensor(String name, TensorType type, long begin, long end, List<Long> strides) {
    /** Makes a tensor in row-major order without gaps, as in a safetensors file. */
    public StoredTensor(String name, TensorType type, long begin, long end) {
        this(name, type, begin, end, contiguous(type));
    }

    private static List<Long> contiguous(TensorType type) {
        return Arrays.stream(type.shape().contiguousStrides()).boxed().toList();
    }

    /** Returns the number of bytes from the first element to the last. Without gaps, this is the size of the type. */
    public long bytes() {
        return end - begin;
    }
}
