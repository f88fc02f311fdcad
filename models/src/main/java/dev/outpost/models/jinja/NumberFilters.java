package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** The filters {@code int}, {@code float} and {@code round}, with Python's notations of numbers. */
final class NumberFilters {
    /** The maximum number of digits of an integer, as in Python. */
    private static final int MAX_DIGITS = 4300;

    /** The notations that Python's {@code int} and {@code float} accept, without surrounding blanks. */
    private static final Pattern INTEGER = Pattern.compile("[\\p{Alnum}_]+", Pattern.UNICODE_CHARACTER_CLASS);

    private static final Pattern REAL = Pattern.compile(
            "[-+]?(\\d[\\d_]*\\.?[\\d_]*|\\.\\d[\\d_]*)([eE][-+]?\\d[\\d_]*)?|[-+]?(?i:inf|infinity|nan)");

    private static final Map<String, Integer> PREFIXES = Map.of("0b", 2, "0o", 8, "0x", 16);

    private NumberFilters() {}

    static double number(Object value) {
        if (!JinjaValues.isNumber(value)) {
            throw new JinjaException("template: a number is expected, got " + JinjaValues.describe(value));
        }
        return JinjaValues.real(value);
    }

    private static void requireDefined(Object value) {
        if (value instanceof Undefined) {
            throw new JinjaException("template: " + JinjaValues.describe(value) + " is no number");
        }
    }

    static Object integer(Object value, JinjaArguments given) {
        requireDefined(value);
        if (JinjaValues.isWhole(value)) {
            return JinjaValues.whole(JinjaValues.big(value));
        }
        if (value instanceof String text) {
            BigInteger whole = whole(
                    Methods.strip(text, JinjaArguments.NONE, true, true),
                    JinjaValues.integer(given.get(1, "base", 10L), "int's base"));
            if (whole != null) {
                return JinjaValues.whole(whole);
            }
        }
        // If the text is not an integer, the filter takes the integer part of a real number, as in Jinja.
        Double real = value instanceof Double number ? number : realOf(value);
        if (value instanceof Double && !Double.isFinite(real)) {
            throw new JinjaException("template: int: " + JinjaValues.describe(value) + " is not finite");
        }
        return real == null || !Double.isFinite(real)
                ? given.get(0, "default", 0L)
                : JinjaValues.whole(new BigDecimal(real).toBigInteger());
    }

    /** True if each underscore is between two digits. */
    private static boolean hasDigitsAround(String text, IntPredicate isDigit) {
        for (int at = text.indexOf('_'); at >= 0; at = text.indexOf('_', at + 1)) {
            boolean isBetween = at > 0
                    && at < text.length() - 1
                    && isDigit.test(text.charAt(at - 1))
                    && isDigit.test(text.charAt(at + 1));
            if (!isBetween) {
                return false;
            }
        }
        return true;
    }

    /** Returns the integer that a text denotes in a base, or null. */
    private static BigInteger whole(String text, long base) {
        boolean hasSign = text.startsWith("-") || text.startsWith("+");
        String digits = text.substring(hasSign ? 1 : 0).toLowerCase(Locale.ROOT);
        Integer ofPrefix = digits.length() < 3 ? null : PREFIXES.get(digits.substring(0, 2));
        boolean hasPrefix = ofPrefix != null && (base == 0 || base == ofPrefix);
        long radix = base != 0 ? base : ofPrefix == null ? 10 : ofPrefix;
        String plain = hasPrefix ? digits.substring(digits.charAt(2) == '_' ? 3 : 2) : digits;
        if (radix < 2
                || radix > 36
                || plain.length() > MAX_DIGITS
                || !INTEGER.matcher(plain).matches()
                || !hasDigitsAround(plain, Character::isLetterOrDigit)) {
            return null;
        }
        try {
            BigInteger number = new BigInteger(plain.replace("_", ""), (int) radix);
            return text.startsWith("-") ? number.negate() : number;
        } catch (NumberFormatException ignored) {
            return null;
        }
    }

    static Object real(Object value, JinjaArguments given) {
        requireDefined(value);
        Double real = JinjaValues.isNumber(value) ? (Double) JinjaValues.real(value) : realOf(value);
        return real == null ? given.get(0, "default", 0.0) : real;
    }

    /** Returns the real number that a text denotes; null for another value. */
    private static Double realOf(Object value) {
        if (!(value instanceof String given)) {
            return null;
        }
        String text = Methods.strip(given, JinjaArguments.NONE, true, true);
        if (!REAL.matcher(text).matches() || !hasDigitsAround(text, Character::isDigit)) {
            return null;
        }
        String name = text.toLowerCase(Locale.ROOT);
        return name.contains("n")
                ? name.contains("nan")
                        ? Double.NaN
                        : name.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
                : (Double) Double.parseDouble(text.replace("_", ""));
    }

    static Object round(Object value, JinjaArguments given) {
        double real = number(value);
        int digits = Math.toIntExact(
                Math.clamp(JinjaValues.integer(given.get(0, "precision", 0L), "round's precision"), -400L, 400L));
        String method = JinjaValues.text(given.get(1, "method", "common"));
        switch (method) {
            case "common" -> {
                if (JinjaValues.isWhole(value)) {
                    BigInteger whole = JinjaValues.big(value);
                    return JinjaValues.whole(
                            digits >= 0
                                    ? whole
                                    : new BigDecimal(whole)
                                            .setScale(digits, RoundingMode.HALF_EVEN)
                                            .toBigInteger());
                }
                return Double.isFinite(real)
                        ? (Object) Math.copySign(
                                new BigDecimal(real)
                                        .setScale(digits, RoundingMode.HALF_EVEN)
                                        .doubleValue(),
                                real)
                        : value;
            }
            case "ceil", "floor" -> {
                Object power = Arithmetic.apply("**", 10L, (long) digits);
                double scaled = JinjaValues.real(Arithmetic.apply("*", value, power));
                if (!Double.isFinite(scaled)) {
                    throw new JinjaException("template: round: " + JinjaValues.describe(value) + " is not finite");
                }
                double whole = method.equals("ceil") ? Math.ceil(scaled) : Math.floor(scaled);
                return Arithmetic.apply("/", JinjaValues.whole(new BigDecimal(whole).toBigInteger()), power);
            }
            default ->
                throw new JinjaException("template: round's method must be common, ceil or floor, got " + method);
        }
    }
}
