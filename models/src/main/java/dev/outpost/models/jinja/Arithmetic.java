package dev.outpost.models.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Operators between two values. */
final class Arithmetic {
    private static final int MOST_BITS = 1 << 14;

    private Arithmetic() {}

    static Object apply(String operator, Object left, Object right) {
        if (operator.equals("~")) {
            return Values.text(left) + Values.text(right);
        }
        if (Values.isNumber(left) && Values.isNumber(right)) {
            return ofNumbers(operator, left, right);
        }
        switch (operator) {
            case "+" -> {
                if (left instanceof String a && right instanceof String b) {
                    Budget.requireSize((long) a.length() + b.length());
                    return a + b;
                }
                if (left instanceof List<?> a && right instanceof List<?> b) {
                    List<Object> both = new ArrayList<>(a);
                    both.addAll(b);
                    Budget.requireSize(both.size());
                    return a instanceof Tuple && b instanceof Tuple ? new Tuple(both) : both;
                }
            }
            case "*" -> {
                if (left instanceof String text && right instanceof Long times) {
                    return text.repeat(
                            Budget.requireSize(Math.max(0, times) * text.length()) == 0 ? 0 : Math.toIntExact(times));
                }
                if (left instanceof List<?> list && right instanceof Long times) {
                    Budget.requireSize(Math.max(0, times) * list.size());
                    List<Object> many = new ArrayList<>();
                    Collections.nCopies((int) Math.max(0, times), list).forEach(many::addAll);
                    return many;
                }
            }
            default -> {}
        }
        throw new JinjaException("template: " + operator + " is not defined for " + Values.describe(left) + " and "
                + Values.describe(right));
    }

    private static Object ofNumbers(String operator, Object left, Object right) {
        boolean areWhole = Values.isWhole(left) && Values.isWhole(right);
        double a = Values.real(left);
        double b = Values.real(right);
        if (b == 0 && (operator.equals("/") || operator.equals("//") || operator.equals("%"))) {
            throw new JinjaException("template: division by 0");
        }
        if (operator.equals("/")) {
            return a / b;
        }
        if (!areWhole) {
            return switch (operator) {
                case "+" -> a + b;
                case "-" -> a - b;
                case "*" -> a * b;
                case "//" -> Math.floor(a / b);
                case "%" -> a - b * Math.floor(a / b);
                default -> Math.pow(a, b);
            };
        }
        return ofWhole(operator, left, right);
    }

    /** Python's integers have no largest one; here it has {@link #MOST_BITS}, so that no template takes all memory. */
    private static Object ofWhole(String operator, Object left, Object right) {
        BigInteger x = Values.big(left);
        BigInteger y = Values.big(right);
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
                    yield Math.pow(Values.real(left), Values.real(right));
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
        return Values.whole(number);
    }

    private static void requireBits(long bits) {
        if (bits > MOST_BITS) {
            throw new JinjaException("template: an integer has more than " + MOST_BITS + " bits");
        }
    }

    static boolean compare(String operator, Object left, Object right) {
        return switch (operator) {
            case "==" -> Values.areEqual(left, right);
            case "!=" -> !Values.areEqual(left, right);
            case "<" -> Values.compare(left, right) < 0;
            case ">" -> Values.compare(left, right) > 0;
            case "<=" -> Values.compare(left, right) <= 0;
            case ">=" -> Values.compare(left, right) >= 0;
            case "in" -> Values.contains(right, left);
            default -> !Values.contains(right, left);
        };
    }

    static Object negative(Object value) {
        return switch (value) {
            case Long number -> whole(Values.big(number).negate());
            case BigInteger number -> whole(number.negate());
            case Double number -> -number;
            case null, default -> throw new JinjaException("template: - is not defined for " + Values.describe(value));
        };
    }
}
