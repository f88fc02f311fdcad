package dev.outpost.runtime.cuda.library;

import java.lang.foreign.MemorySegment;

/** Reads C strings. */
@SuppressWarnings("restricted")
public final class NativeText {
    private NativeText() {}

    /** Reads the string at a pointer of unknown size; {@code fallback} if the pointer is null. */
    public static String at(MemorySegment pointer, String fallback) {
        return pointer.address() == 0
                ? fallback
                : pointer.reinterpret(Long.MAX_VALUE).getString(0);
    }
}
