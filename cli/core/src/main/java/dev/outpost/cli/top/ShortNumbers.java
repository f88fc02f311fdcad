package dev.outpost.cli.top;

import java.util.Locale;

/** Formats numbers with few characters. */
public final class ShortNumbers {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private ShortNumbers() {}

    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    public static String count(double number) {
        return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%,.0f", number);
    }

    public static String share(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    public static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,.1f us", nanos / 1e3);
    }

    public static String duration(long millis) {
        long seconds = millis / 1000;
        if (seconds < 60) {
            return seconds + "s";
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
    }
}
