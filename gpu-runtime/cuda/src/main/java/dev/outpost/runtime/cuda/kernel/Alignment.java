package dev.outpost.runtime.cuda.kernel;

import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.memory.Array;
import java.util.stream.Stream;

/** Checks if rows can be copied 16 bytes at a time. */
final class Alignment {
    private static final int BYTES = 16;

    private Alignment() {}

    /** Returns true if all rows along the last dimension are dense, and each begins at a multiple of 16 bytes. */
    static boolean ofRows(Array... arrays) {
        return Stream.of(arrays).allMatch(Alignment::ofRows);
    }

    private static boolean ofRows(Array array) {
        long[] strides = array.layout().strides();
        boolean isAligned = strides[strides.length - 1] == 1 && CudaLauncher.address(array) % BYTES == 0;
        for (int dim = 0; dim < strides.length - 1; dim++) {
            isAligned &=
                    array.shape().size(dim) == 1 || strides[dim] * array.dtype().bytes() % BYTES == 0;
        }
        return isAligned;
    }
}
