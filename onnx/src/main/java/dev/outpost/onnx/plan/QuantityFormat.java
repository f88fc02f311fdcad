package dev.outpost.onnx.plan;

import java.util.Locale;

/** Formats quantities for people. */
public final class QuantityFormat {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final double MILLI = 1e-3;
    private static final double MICRO = 1e-6;

    private QuantityFormat() {}

    public static String bytes(double bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
    }

    public static String seconds(double seconds) {
        if (seconds >= 1) {
            return String.format(Locale.ROOT, "%.2f s", seconds);
        }
        return seconds >= MILLI
                ? String.format(Locale.ROOT, "%.2f ms", seconds / MILLI)
                : String.format(Locale.ROOT, "%.0f µs", seconds / MICRO);
    }
}
