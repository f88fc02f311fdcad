package dev.outpost.internal.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/** The notation of floating elements. As in PyTorch, all elements of a tensor have the same notation. */
public enum Notation {
    /** {@code 2.}: every element is a whole number. */
    WHOLE {
        @Override
        public String digits(double magnitude) {
            return fixed(magnitude, 0) + ".";
        }
    },
    /** {@code 2.5000}. */
    FIXED {
        @Override
        public String digits(double magnitude) {
            return fixed(magnitude, PRECISION);
        }
    },
    /** {@code 2.5000e+03}. */
    SCIENTIFIC {
        @Override
        public String digits(double magnitude) {
            return scientific(magnitude);
        }
    };

    private static final int PRECISION = 4;
    private static final double WIDEST_RATIO = 1000;
    private static final double LARGEST = 1e8;
    private static final double SMALLEST = 1e-4;

    /** Returns the notation for a tensor whose finite nonzero elements are given. */
    public static Notation of(double[] values) {
        if (values.length == 0) {
            return WHOLE;
        }
        double largest = Arrays.stream(values).map(Math::abs).max().getAsDouble();
        double smallest = Arrays.stream(values).map(Math::abs).min().getAsDouble();
        boolean isWhole = Arrays.stream(values).allMatch(value -> value == Math.ceil(value));
        boolean isUneven = largest / smallest > WIDEST_RATIO || largest > LARGEST;
        if (isUneven || !isWhole && smallest < SMALLEST) {
            return SCIENTIFIC;
        }
        return isWhole ? WHOLE : FIXED;
    }

    public abstract String digits(double magnitude);

    public String text(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        boolean isNegative = Double.doubleToRawLongBits(value) < 0;
        String magnitude = Double.isInfinite(value) ? "inf" : digits(Math.abs(value));
        return isNegative ? "-" + magnitude : magnitude;
    }

    /** Rounds the exact binary value, ties to even, as C's printf does; Java's formatter rounds its shortest decimal. */
    private static String fixed(double magnitude, int decimals) {
        return new BigDecimal(magnitude)
                .setScale(decimals, RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    private static String scientific(double magnitude) {
        if (magnitude == 0) {
            return "0." + "0".repeat(PRECISION) + "e+00";
        }
        BigDecimal rounded = new BigDecimal(magnitude).round(new MathContext(PRECISION + 1, RoundingMode.HALF_EVEN));
        int exponent = rounded.precision() - rounded.scale() - 1;
        String digits = rounded.setScale(PRECISION - exponent).unscaledValue().toString();
        String sign = exponent < 0 ? "-" : "+";
        String power = "%02d".formatted(Math.abs(exponent));
        return digits.charAt(0) + "." + digits.substring(1) + "e" + sign + power;
    }
}
