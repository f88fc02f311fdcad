package dev.outpost.provider.k8s.reason.text;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers and names for sentences. */
public final class Wording {
    private static final String SPOKEN_WITH_A_VOWEL = "AEFHILMNORSX";
    private static final long GIGABYTE = 1_000_000_000L;
    private static final long MEGABYTE = 1_000_000L;

    private Wording() {}

    /** Returns {@code an A100} or {@code a T4}: names of GPUs are spelled out when spoken. */
    public static String withArticle(String name) {
        char first = Character.toUpperCase(name.charAt(0));
        return (SPOKEN_WITH_A_VOWEL.indexOf(first) >= 0 ? "an " : "a ") + name;
    }

    public static String counted(int count, String singular, String plural) {
        return count + " " + (count == 1 ? singular : plural);
    }

    /** Returns {@code 1st}, {@code 12th}. */
    public static String ordinal(int number) {
        int lastTwo = number % 100;
        if (lastTwo >= 11 && lastTwo <= 13) {
            return number + "th";
        }
        return number
                + switch (number % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }

    /** Returns {@code 1.8 GB}, in decimal units as registries use them. */
    public static String size(long bytes) {
        return bytes >= GIGABYTE
                ? String.format(Locale.ROOT, "%.1f GB", (double) bytes / GIGABYTE)
                : Math.max(1, bytes / MEGABYTE) + " MB";
    }

    /** Returns {@code 42 s}, {@code 3 min 20 s}, {@code 2 h}. */
    public static String time(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        return seconds < 3600
                ? twoUnits(seconds / 60, "min", seconds % 60, "s")
                : twoUnits(seconds / 3600, "h", seconds % 3600 / 60, "min");
    }

    private static String twoUnits(long large, String largeUnit, long small, String smallUnit) {
        return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
