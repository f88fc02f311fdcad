package dev.outpost.runtime.cuda.library;

import java.lang.foreign.MemorySegment;

/** Strings of C. */
@SuppressWarnings("restricted")
public final class NativeText {
    private NativeText() {}

    /** The string that a pointer of unknown size points to; {@code fallback} where it is null. */
    public static String at(MemorySegment pointer, String fallback) {
        return pointer.address() == 0
                ? fallback
                : pointer.reinterpret(Long.MAX_VALUE).getString(0);
    }
}
