package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.NpyHeader;
import dev.outpost.types.MalformedException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.InputStream;

/** Reads the elements after the header of an .npy file. */
final class NpyElements {
    private NpyElements() {}

    /** Reads from a file whose size shows that it has all elements. */
    static HostTensor read(String name, NpyHeader header, InputStream in) throws IOException {
        return of(name, header, header.type(), Chunks.read(name, in, HostTensors.requireHeld(name, header.type())));
    }

    /**
     * Reads from a stream that may have fewer bytes than its header states. Allocates only for bytes that have
     * arrived.
     */
    static HostTensor readGrowing(String name, NpyHeader header, InputStream in) throws IOException {
        int length = HostTensors.requireHeld(name, header.type());
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw Chunks.ends(name, length, bytes.length);
        }
        return of(name, header, header.type(), bytes);
    }

    static void requireEnd(String name, InputStream in) throws IOException {
        if (in.read() >= 0) {
            throw new MalformedException(name + ": bytes follow the array");
        }
    }

    /** @param type the type of these elements, which may be rows of the array */
    static HostTensor of(String name, NpyHeader header, TensorType type, byte[] bytes) {
        int width = type.dtype().bytes();
        if (header.isBigEndian()) {
            reverseEach(bytes, width);
        }
        boolean isRowMajor = !header.isColumnMajor() || type.shape().rank() < 2;
        byte[] ordered = isRowMajor ? bytes : rowMajor(bytes, type.shape().toArray(), width);
        return HostTensors.of(name, type, ordered);
    }

    private static void reverseEach(byte[] bytes, int width) {
        for (int start = 0; start < bytes.length; start += width) {
            for (int low = start, high = start + width - 1; low < high; low++, high--) {
                byte swapped = bytes[low];
                bytes[low] = bytes[high];
                bytes[high] = swapped;
            }
        }
    }

    /**
     * Converts to row-major order. Walks through the elements in row-major order, and tracks the position of each in column-major order.
     */
    private static byte[] rowMajor(byte[] columnMajor, long[] sizes, int width) {
        byte[] result = new byte[columnMajor.length];
        int[] strides = new int[sizes.length];
        long stride = width;
        for (int dim = 0; dim < sizes.length; dim++) {
            strides[dim] = (int) stride;
            stride *= sizes[dim];
        }
        long[] index = new long[sizes.length];
        int from = 0;
        for (int to = 0; to < result.length; to += width) {
            System.arraycopy(columnMajor, from, result, to, width);
            from = advance(index, sizes, strides, from);
        }
        return result;
    }

    private static int advance(long[] index, long[] sizes, int[] strides, int from) {
        int place = from;
        for (int dim = sizes.length - 1; dim >= 0; dim--) {
            place += strides[dim];
            if (++index[dim] < sizes[dim]) {
                return place;
            }
            place -= (int) (sizes[dim] * strides[dim]);
            index[dim] = 0;
        }
        return place;
    }
}
