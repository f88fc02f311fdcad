package dev.outpost.runtime.engine.cpu.code;

/** A loop over Java arrays: the operands in order, then the result. */
@FunctionalInterface
public interface ArrayLoop {
    /**
     * @param arrays the Java arrays
     * @param offsets where each begins
     * @param strides how far each moves per element; a generated loop reads those it was not specialised for
     * @param count how many elements, at least 1
     */
    void run(Object[] arrays, int[] offsets, int[] strides, int count);
}
