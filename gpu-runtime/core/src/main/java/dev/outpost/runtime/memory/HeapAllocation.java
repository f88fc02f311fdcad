package dev.outpost.runtime.memory;

import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.math.BigInteger;

/**
 * Allocates buffers. Prepares the heap for large ones so that other threads go on, and turns an exhausted heap into a
 * failure of kind resources.
 */
public final class HeapAllocation {
    /** The longest array that every JVM can allocate. */
    public static final int MAX_ELEMENTS = Integer.MAX_VALUE - 8;

    private HeapAllocation() {}

    public static HeapBuffer allocate(DType dtype, long elements) {
        if (elements > MAX_ELEMENTS) {
            throw noRoom(dtype, elements, "one value holds at most " + MAX_ELEMENTS + " elements", null);
        }
        try {
            return HeapGrowth.before(elements * dtype.bytes(), () -> HeapBuffer.allocate(dtype, (int) elements));
        } catch (OutOfMemoryError outOfMemory) {
            throw noRoom(
                    dtype,
                    elements,
                    "the heap holds at most " + Runtime.getRuntime().maxMemory() + " bytes",
                    outOfMemory);
        }
    }

    private static OutpostException noRoom(DType dtype, long elements, String bound, Throwable cause) {
        BigInteger bytes = BigInteger.valueOf(elements).multiply(BigInteger.valueOf(dtype.bytes()));
        String asked = "requested " + bytes + " bytes for " + elements + " elements of " + dtype;
        return new OutpostException(FaultKind.RESOURCES, "allocate: out of memory, " + asked + "; " + bound, cause);
    }
}
