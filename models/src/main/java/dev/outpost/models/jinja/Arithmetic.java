package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Operators between two values. */
final class Arithmetic {
    private static final int MAX_BITS = 1 << 14;

    private static final Set<String> ORDERS = Set.of("<", ">", "<=", ">=");
    /** The digits of a quotient. They are more than enough to round it to the nearest double. */
    private static final int DIGITS_OF_QUOTIENT = 60;

    private Arithmetic() {}

    static Object apply(String operator, Object left, Object right) {
        if (operator.equals("~")) {
            return JinjaValues.text(left) + JinjaValues.text(right);
        }
        if (JinjaValues.isNumber(left) && JinjaValues.isNumber(right)) {
            return ofNumbers(operator, left, right);
        }
        switch (operator) {
            case "+" -> {
                if (left instanceof String a && right instanceof String b) {
                    TemplateBudget.requireSize((long) a.length() + b.length());
                    return a + b;
                }
                if (left instanceof List<?> a && right instanceof List<?> b) {
                    List<Object> both = new ArrayList<>(a);
                    both.addAll(b);
                    TemplateBudget.requireSize(both.size());
                    return a instanceof Tuple && b instanceof Tuple ? new Tuple(both) : both;
                }
            }
            case "*" -> {
                if (JinjaValues.isWhole(right) && (left instanceof String || left instanceof List)) {
                    return repeated(left, JinjaValues.integer(right, "a number of times"));
                }
                if (JinjaValues.isWhole(left) && (right instanceof String || right instanceof List)) {
                    return repeated(right, JinjaValues.integer(left, "a number of times"));
                }
            }
            default -> {}
        }
        throw new JinjaException("template: " + operator + " is not defined for " + JinjaValues.describe(left) + " and "
                + JinjaValues.describe(right));
    }

    private static Object repeated(Object value, long times) {
        int size = value instanceof String text ? text.length() : ((List<?>) value).size();
        if (times <= 0 || size == 0) {
            return value instanceof String ? "" : value instanceof Tuple ? new Tuple(List.of()) : new ArrayList<>();
        }
        TemplateBudget.requireSize(times > TemplateBudget.CHARACTERS ? times : times * size);
        if (value instanceof String text) {
            return text.repeat((int) times);
        }
        List<Object> many = new ArrayList<>();
        Collections.nCopies((int) times, (List<?>) value).forEach(many::addAll);
        return value instanceof Tuple ? new Tuple(many) : many;
    }

    private static Object ofNumbers(String operator, Object left, Object right) {
        boolean isDivision = operator.equals("/") || operator.equals("//") || operator.equals("%");
        if (isDivision && JinjaValues.areEqual(right, 0L)) {
            throw new JinjaException("template: division by 0");
        }
        if (JinjaValues.isWhole(left) && JinjaValues.isWhole(right)) {
            return operator.equals("/") ? (Object) quotient(left, right) : ofWhole(operator, left, right);
        }
        double a = JinjaValues.real(left);
        double b = JinjaValues.real(right);
        return switch (operator) {
            case "+" -> a + b;
            case "-" -> a - b;
            case "*" -> a * b;
            case "/" -> a / b;
            case "//" -> wholePart(a, b);
            case "%" -> rest(a, b);
            default -> power(a, b);
        };
    }

    /** Returns the double nearest to the exact quotient of two integers. */
    private static double quotient(Object left, Object right) {
        double quotient = new BigDecimal(JinjaValues.big(left))
                .divide(new BigDecimal(JinjaValues.big(right)), new MathContext(DIGITS_OF_QUOTIENT))
                .doubleValue();
        if (Double.isInfinite(quotient)) {
            throw new JinjaException("template: /: the result is too large for a real number");
        }
        return quotient;
    }

    /** Returns the remainder with the sign of the divisor, as in Python. */
    private static double rest(double a, double b) {
        double rest = a % b;
        return rest == 0 ? Math.copySign(0, b) : rest < 0 != b < 0 ? rest + b : rest;
    }

    private static double wholePart(double a, double b) {
        double rest = a % b;
        double parts = (a - rest) / b - (rest != 0 && rest < 0 != b < 0 ? 1 : 0);
        return parts == 0 ? Math.copySign(0, a / b) : Math.rint(parts);
    }

    private static double power(double a, double b) {
        if (a == 0 && b < 0) {
            throw new JinjaException("template: division by 0");
        }
        double power = Math.pow(a, b);
        boolean areFinite = Double.isFinite(a) && Double.isFinite(b);
        if (areFinite && !Double.isFinite(power)) {
            throw new JinjaException("template: **: the result is " + (Double.isNaN(power) ? "complex" : "too large"));
        }
        return power;
    }

    /**
     * Computes with integers. Python's integers are unbounded. Here they have at most {@link #MAX_BITS} bits, so that a template cannot
     * exhaust memory.
     */
    private static Object ofWhole(String operator, Object left, Object right) {
        BigInteger x = JinjaValues.big(left);
        BigInteger y = JinjaValues.big(right);
        return switch (operator) {
            case "+" -> whole(x.add(y));
            case "-" -> whole(x.subtract(y));
            case "*" -> {
                requireBits((long) x.bitLength() + y.bitLength());
                yield whole(x.multiply(y));
            }
            case "//" -> {
                BigInteger[] parts = x.divideAndRemainder(y);
                boolean isBelow = parts[1].signum() != 0 && parts[1].signum() != y.signum();
                yield whole(isBelow ? parts[0].subtract(BigInteger.ONE) : parts[0]);
            }
            case "%" -> {
                BigInteger rest = x.remainder(y);
                yield whole(rest.signum() != 0 && rest.signum() != y.signum() ? rest.add(y) : rest);
            }
            default -> {
                if (y.signum() < 0) {
                    yield power(JinjaValues.real(left), JinjaValues.real(right));
                }
                boolean isUnit = x.signum() == 0 || x.abs().equals(BigInteger.ONE);
                if (isUnit) {
                    yield whole(x.pow(y.signum() == 0 ? 0 : y.testBit(0) ? 1 : 2));
                }
                requireBits(y.bitLength() > 31 ? Long.MAX_VALUE : Math.max(1, x.bitLength() - 1) * y.longValue());
                yield whole(x.pow(y.intValueExact()));
            }
        };
    }

    private static Object whole(BigInteger number) {
        requireBits(number.bitLength());
        return JinjaValues.whole(number);
    }

    private static void requireBits(long bits) {
        if (bits > MAX_BITS) {
            throw new JinjaException("template: an integer has more than " + MAX_BITS + " bits");
        }
    }

    static boolean compare(String operator, Object left, Object right) {
        boolean hasOrder = !JinjaValues.isNotANumber(left) && !JinjaValues.isNotANumber(right);
        if (!hasOrder && ORDERS.contains(operator) && JinjaValues.isNumber(left) && JinjaValues.isNumber(right)) {
            return false;
        }
        return switch (operator) {
            case "==" -> JinjaValues.areEqual(left, right);
            case "!=" -> !JinjaValues.areEqual(left, right);
            case "<" -> JinjaValues.compare(left, right) < 0;
            case ">" -> JinjaValues.compare(left, right) > 0;
            case "<=" -> JinjaValues.compare(left, right) <= 0;
            case ">=" -> JinjaValues.compare(left, right) >= 0;
            case "in" -> JinjaValues.contains(right, left);
            default -> !JinjaValues.contains(right, left);
        };
    }

    static Object positive(Object value) {
        if (!JinjaValues.isNumber(value)) {
            throw new JinjaException("template: + is not defined for " + JinjaValues.describe(value));
        }
        return value instanceof Boolean flag ? (Object) (flag ? 1L : 0L) : value;
    }

    static Object negative(Object value) {
        return switch (value) {
            case Long number -> whole(JinjaValues.big(number).negate());
            case BigInteger number -> whole(number.negate());
            case Double number -> -number;
            case Boolean flag -> flag ? -1L : 0L;
            case null, default ->
                throw new JinjaException("template: - is not defined for " + JinjaValues.describe(value));
        };
    }
}
