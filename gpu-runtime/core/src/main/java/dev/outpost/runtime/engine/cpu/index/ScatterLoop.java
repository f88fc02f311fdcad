package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.runtime.engine.cpu.code.ArrayLoop;

/**
 * Writes source elements to indexed places. The arrays are source, index and result (without its indexed dimension). The result already
 * holds the base.
 *
 * @param replaces true if a source element replaces the old one. The loops then take source and result, otherwise result, source and
 *     result
 * @param units the loop for arrays of consecutive elements
 * @param strided the loop for all other arrays
 * @param sums adds single elements; null if the loops take them one by one
 */
record ScatterLoop(IndexedDimension dimension, boolean replaces, ArrayLoop units, ArrayLoop strided, ElementSums sums)
        implements ArrayLoop {
    private static final int CHUNK = 1024;

    @Override
    public void run(Object[] arrays, int[] offsets, int[] strides, int count) {
        long[] index = (long[]) arrays[1];
        if (strides[1] == 0) {
            int place = offsets[2] + dimension.place(index[offsets[1]]);
            join(arrays, offsets[0], strides[0], place, strides[2], count);
            return;
        }
        if (sums != null) {
            add(arrays, offsets, strides, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            int place = offsets[2] + i * strides[2] + dimension.place(index[offsets[1] + i * strides[1]]);
            join(arrays, offsets[0] + i * strides[0], 1, place, 1, 1);
        }
    }

    private void add(Object[] arrays, int[] offsets, int[] strides, int count) {
        long[] index = (long[]) arrays[1];
        int[] indices = new int[Math.min(CHUNK, count)];
        for (int done = 0; done < count; done += CHUNK) {
            int length = Math.min(CHUNK, count - done);
            for (int i = 0; i < length; i++) {
                int element = done + i;
                indices[i] =
                        offsets[2] + element * strides[2] + dimension.place(index[offsets[1] + element * strides[1]]);
            }
            sums.add(arrays[0], offsets[0] + done * strides[0], strides[0], arrays[2], indices, length);
        }
    }

    private void join(Object[] arrays, int source, int sourceStride, int result, int resultStride, int count) {
        ArrayLoop loop = sourceStride == 1 && resultStride == 1 ? units : strided;
        if (replaces) {
            loop.run(
                    new Object[] {arrays[0], arrays[2]},
                    new int[] {source, result},
                    new int[] {sourceStride, resultStride},
                    count);
        } else {
            loop.run(
                    new Object[] {arrays[2], arrays[0], arrays[2]},
                    new int[] {result, source, result},
                    new int[] {resultStride, sourceStride, resultStride},
                    count);
        }
    }
}
