package dev.outpost.runtime.engine.cpu.code;

/** A loop over Java arrays: first the operands in order, then the result. */
@FunctionalInterface
public interface ArrayLoop {
    /**
     * @param arrays the Java arrays
     * @param offsets the first index in each array
     * @param strides the distance between elements in each array; a generated loop reads only the strides for which it was not
     *     specialised
     * @param count the number of elements, at least 1
     */
    void run(Object[] arrays, int[] offsets, int[] strides, int count);
}
