package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The Java types of a template's Python values: {@link String}, {@link Boolean}, {@link Long}, {@link BigInteger} beyond that, {@link
 * Double}, {@link List} and {@link Tuple}, {@link Map}, {@link Callable}, {@code null} for None, {@link Undefined}.
 */
final class JinjaValues {
    private JinjaValues() {}

    /** Converts a Java value to the types of a template: integers to Long, and floats to Double. */
    static Object of(Object given) {
        return switch (given) {
            case Namespace own -> own;
            case Integer number -> (long) number;
            case Short number -> (long) number;
            case Byte number -> (long) number;
            case Float number -> (double) number;
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, value) -> copy.put(of(key), of(value)));
                yield copy;
            }
            case Collection<?> all -> {
                List<Object> copy = new ArrayList<>();
                all.forEach(value -> copy.add(of(value)));
                yield all instanceof Tuple tuple ? new Tuple(copy, tuple.names()) : copy;
            }
            case BigInteger number -> whole(number);
            case null -> null;
            case Character character -> character.toString();
            default -> given;
        };
    }

    static boolean isTrue(Object value) {
        return switch (value) {
            case null -> false;
            case Undefined undefined -> false;
            case Boolean flag -> flag;
            case Long number -> number != 0;
            case Double number -> number != 0;
            case String text -> !text.isEmpty();
            case Collection<?> all -> !all.isEmpty();
            case Map<?, ?> map -> !map.isEmpty();
            default -> true;
        };
    }

    /** Returns the text of a value, like Python's {@code str}. */
    static String text(Object value) {
        return value instanceof String text ? text : Representation.of(value);
    }

    /** Returns an integer as a Long if it fits, else as a BigInteger. */
    static Object whole(BigInteger number) {
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }

    static boolean isWhole(Object value) {
        return value instanceof Long || value instanceof BigInteger || value instanceof Boolean;
    }

    /** Returns a {@linkplain #isWhole whole} number of any size. */
    static BigInteger big(Object value) {
        return value instanceof BigInteger number ? number : BigInteger.valueOf(integer(value, "a number"));
    }

    static long integer(Object value, String what) {
        return switch (value) {
            case BigInteger number ->
                throw new JinjaException("template: " + what + " is too large: " + number.bitLength() + " bits");
            case Long number -> number;
            case Boolean flag -> flag ? 1 : 0;
            case null, default ->
                throw new JinjaException("template: " + what + " must be an integer, got " + describe(value));
        };
    }

    static boolean isNumber(Object value) {
        return isWhole(value) || value instanceof Double;
    }

    /** Returns a number as a double. Throws JinjaException if it is too large. */
    static double real(Object value) {
        double real = value instanceof Boolean flag ? flag ? 1 : 0 : ((Number) value).doubleValue();
        if (value instanceof BigInteger && Double.isInfinite(real)) {
            throw new JinjaException("template: " + describe(value) + " is too large for a real number");
        }
        return real;
    }

    static boolean areEqual(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return !isNotANumber(left) && !isNotANumber(right) && compareNumbers(left, right) == 0;
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            if (a.size() != b.size() || a instanceof Tuple != b instanceof Tuple) {
                return false;
            }
            for (int i = 0; i < a.size(); i++) {
                if (!areEqual(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (left instanceof Undefined || right instanceof Undefined) {
            return left instanceof Undefined && right instanceof Undefined;
        }
        return Objects.equals(left, right);
    }

    static boolean isNotANumber(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    /** Compares numbers exactly, as Python compares a float with an int. */
    private static int compareNumbers(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return Long.compare(a, b);
        }
        boolean areFinite = isFinite(left) && isFinite(right);
        return areFinite ? exact(left).compareTo(exact(right)) : Double.compare(infinite(left), infinite(right));
    }

    private static boolean isFinite(Object number) {
        return !(number instanceof Double real) || Double.isFinite(real);
    }

    private static double infinite(Object number) {
        return isFinite(number) ? 0 : (Double) number;
    }

    private static BigDecimal exact(Object number) {
        return number instanceof Double real ? new BigDecimal(real) : new BigDecimal(big(number));
    }

    /** Returns the key of a mapping that is equal to a value, for example 1 for the value 1.0; the value itself if there is none. */
    static Object key(Map<?, ?> map, Object value) {
        if (isNumber(value) && !map.containsKey(value)) {
            for (Object key : map.keySet()) {
                if (isNumber(key) && areEqual(key, value)) {
                    return key;
                }
            }
        }
        return value;
    }

    static void put(Map<Object, Object> map, Object key, Object value) {
        map.put(key(map, key), value);
    }

    static int compare(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return compareNumbers(left, right);
        }
        if (left instanceof String a && right instanceof String b) {
            return a.compareTo(b);
        }
        if (left instanceof List<?> a && right instanceof List<?> b) {
            for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
                if (!areEqual(a.get(i), b.get(i))) {
                    return compare(a.get(i), b.get(i));
                }
            }
            return Integer.compare(a.size(), b.size());
        }
        throw new JinjaException("template: " + describe(left) + " and " + describe(right) + " have no order");
    }

    static boolean contains(Object all, Object value) {
        return switch (all) {
            case String text when value instanceof String part -> text.contains(part);
            case Undefined undefined -> false;
            case Map<?, ?> map -> map.containsKey(key(map, value));
            case Collection<?> many -> many.stream().anyMatch(one -> areEqual(one, value));
            case null, default ->
                throw new JinjaException("template: in: " + describe(all) + " cannot contain " + describe(value));
        };
    }

    /** Returns the items that a loop over a value visits. */
    static List<Object> iterate(Object value) {
        return switch (value) {
            case Undefined undefined -> List.of();
            case Collection<?> all -> new ArrayList<>(all);
            case Map<?, ?> map -> new ArrayList<>(map.keySet());
            case String text ->
                new ArrayList<>(text.codePoints().mapToObj(Character::toString).toList());
            case null, default -> throw new JinjaException("template: " + describe(value) + " cannot be looped over");
        };
    }

    static int length(Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case Collection<?> all -> all.size();
            case Map<?, ?> map -> map.size();
            case Undefined undefined -> 0;
            case null, default -> throw new JinjaException("template: " + describe(value) + " has no length");
        };
    }

    /** Returns {@code value[key]} or {@code value.key}; undefined if the member does not exist. */
    static Object member(Object value, Object key) {
        switch (value) {
            case Undefined undefined ->
                throw new JinjaException("template: " + undefined.name() + " is undefined, and has no " + text(key));
            case Map<?, ?> map -> {
                Object own = key(map, key);
                return map.containsKey(own) ? map.get(own) : new Undefined(text(key));
            }
            case Tuple tuple
            when key instanceof String name && tuple.names().contains(name) -> {
                return tuple.get(tuple.names().indexOf(name));
            }
            case List<?> list
            when key instanceof Long place -> {
                long from = place < 0 ? place + list.size() : place;
                return from >= 0 && from < list.size() ? list.get((int) from) : new Undefined(text(key));
            }
            case String string
            when key instanceof Long -> {
                return member(iterate(string), key);
            }
            case null, default -> {
                return new Undefined(text(key));
            }
        }
    }

    /** Returns {@code value[from:to:step]}. Each may be null. */
    static Object slice(Object value, Object from, Object to, Object by) {
        List<Object> all = iterate(value);
        long step = by == null ? 1 : integer(by, "a slice's step");
        if (step == 0) {
            throw new JinjaException("template: a slice's step is 0");
        }
        long size = all.size();
        long begin = bound(from, step > 0 ? 0 : size - 1, size, step);
        long end = bound(to, step > 0 ? size : -1, size, step);
        List<Object> part = new ArrayList<>();
        for (long i = begin; step > 0 ? i < end : i > end; i += step) {
            part.add(all.get((int) i));
        }
        if (!(value instanceof String)) {
            return value instanceof Tuple ? new Tuple(part) : part;
        }
        StringBuilder joined = new StringBuilder();
        part.forEach(joined::append);
        return joined.toString();
    }

    private static long bound(Object given, long standard, long size, long step) {
        if (given == null) {
            return standard;
        }
        long place = integer(given, "a slice's bound");
        long counted = place < 0 ? place + size : place;
        return step > 0 ? Math.clamp(counted, 0, size) : Math.clamp(counted, -1, size - 1);
    }

    static String describe(Object value) {
        return switch (value) {
            case null -> "None";
            case Undefined undefined -> undefined.name() + ", which is undefined,";
            case String text -> "a string";
            case Long number -> "the number " + number;
            case Double number -> "the number " + Representation.real(number);
            case BigInteger number -> "a number of " + number.bitLength() + " bits";
            case Boolean flag -> text(flag);
            case Map<?, ?> map -> "a mapping";
            case Collection<?> all -> "a list";
            default -> "a function";
        };
    }
}
