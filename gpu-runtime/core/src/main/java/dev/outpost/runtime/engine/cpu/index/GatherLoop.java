package dev.outpost.runtime.engine.cpu.index;

import dev.outpost.runtime.engine.cpu.code.ArrayLoop;

/** Gathers elements. The arrays are source (without its indexed dimension), index and result. */
record GatherLoop(IndexedDimension dimension) implements ArrayLoop {
    private static final int CHUNK = 1024;

    @Override
    public void run(Object[] arrays, int[] offsets, int[] strides, int count) {
        long[] index = (long[]) arrays[1];
        if (strides[1] == 0 && strides[0] == 1) {
            int place = offsets[0] + dimension.place(index[offsets[1]]);
            System.arraycopy(arrays[0], place, arrays[2], offsets[2], count);
            return;
        }
        int[] positions = new int[Math.min(CHUNK, count)];
        for (int done = 0; done < count; done += CHUNK) {
            int length = Math.min(CHUNK, count - done);
            for (int i = 0; i < length; i++) {
                int element = done + i;
                positions[i] =
                        offsets[0] + element * strides[0] + dimension.place(index[offsets[1] + element * strides[1]]);
            }
            ElementMoves.gather(arrays[0], positions, arrays[2], offsets[2] + done, length);
        }
    }
}
