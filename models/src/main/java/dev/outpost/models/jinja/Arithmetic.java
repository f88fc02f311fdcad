package dev.outpost.models.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Operators between two values. */
final class Arithmetic {
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
                    return both;
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
        boolean areWhole = !(left instanceof Double) && !(right instanceof Double);
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
        long x = Values.integer(left, "an operand");
        long y = Values.integer(right, "an operand");
        return switch (operator) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "//" -> Math.floorDiv(x, y);
            case "%" -> Math.floorMod(x, y);
            default -> y < 0 ? (Object) Math.pow(a, b) : (Object) (long) Math.pow(a, b);
        };
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
            case Long number -> -number;
            case Double number -> -number;
            case null, default -> throw new JinjaException("template: - is not defined for " + Values.describe(value));
        };
    }
}
