package dev.outpost.internal.text;

import java.util.Locale;

/** Writes numbers of bytes for people. */
public final class ByteUnits {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private ByteUnits() {}

    /** Returns a text such as {@code 93.1 MiB}. */
    public static String text(long bytes) {
        double size = bytes;
        int unit = 0;
        while (size >= 1024 && unit < UNITS.length - 1) {
            size /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", size, UNITS[unit]);
    }
}
