package dev.outpost.models.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ticks of an axis: multiples of 1, 2 or 5 times a power of ten.
 *
 * @param min the first number of the axis
 * @param max the last number of the axis, above the first
 * @param step the distance of two ticks
 */
record Ticks(double min, double max, double step) {
    /**
     * Chooses ticks that cover an interval.
     *
     * @param count the largest number of ticks
     * @param isWhole true if ticks between whole numbers have no meaning
     */
    static Ticks of(double min, double max, int count, boolean isWhole) {
        double low = min;
        double high = max;
        if (high - low <= Math.ulp(Math.max(Math.abs(low), Math.abs(high))) * 8) {
            double margin = low == 0 || isWhole ? 1 : Math.abs(low) / 10;
            low -= isWhole ? 0 : margin;
            high += margin;
        }
        double step = niceStep((high - low) / Math.max(1, count - 1));
        if (isWhole) {
            step = Math.max(1, step);
        }
        double first = Math.floor(low / step + 1e-9) * step;
        double last = Math.ceil(high / step - 1e-9) * step;
        return isWhole ? new Ticks(low, high, step) : new Ticks(first, last, step);
    }

    private static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= rough * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    List<Double> values() {
        List<Double> values = new ArrayList<>();
        for (long tick = Math.round(Math.ceil(min / step - 1e-9)); tick * step <= max + step * 1e-9; tick++) {
            values.add(tick * step);
        }
        return values;
    }

    /** Returns the place of a number on the axis, from 0 to 1. */
    double place(double value) {
        return (value - min) / (max - min);
    }

    /** Formats a tick with as many digits as the distance of ticks has. */
    String text(double value) {
        double size = Math.max(Math.abs(min), Math.abs(max));
        if (size >= 1e6 || size < 1e-3) {
            return value == 0 ? "0" : scientific(value);
        }
        int digits = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        return String.format(Locale.ROOT, "%." + digits + "f", value == 0 ? 0.0 : value);
    }

    private static String scientific(double value) {
        return String.format(Locale.ROOT, "%.2e", value)
                .replaceFirst("\\.?0*e", "e")
                .replaceFirst("e\\+?(-?)0*", "e$1");
    }
}
