package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Filters: what stands behind a bar. */
final class Filters {
    private Filters() {}

    static Object apply(String name, Object value, Arguments given) {
        return Values.of(
                switch (name) {
                    case "trim" -> Methods.strip(Values.text(value), given, true, true);
                    case "upper" -> Values.text(value).toUpperCase(Locale.ROOT);
                    case "lower" -> Values.text(value).toLowerCase(Locale.ROOT);
                    case "title" -> Methods.title(Values.text(value));
                    case "capitalize" -> Methods.capitalize(Values.text(value));
                    case "replace" -> Methods.replace(Values.text(value), given);
                    case "string" -> Values.text(value);
                    case "safe" -> value;
                    case "length", "count" -> Values.length(value);
                    case "tojson" -> json(value, given);
                    case "default", "d" -> standard(value, given);
                    case "indent" -> indent(Values.text(value), given);
                    case "int" -> integer(value, given);
                    case "float" -> real(value, given);
                    case "abs" ->
                        value instanceof Long number ? (Object) Math.abs(number) : (Object) Math.abs(number(value));
                    case "round" -> round(number(value), given);
                    case "items" -> value instanceof Map<?, ?> map ? Methods.items(map) : List.of();
                    case "dictsort" -> dictsort(value);
                    case "list" -> Values.iterate(value);
                    case "first" -> edge(Values.iterate(value), true);
                    case "last" -> edge(Values.iterate(value), false);
                    case "reverse" -> reverse(value);
                    case "join" -> join(value, given);
                    case "sum" -> sum(attribute(value, given, 0));
                    case "min" ->
                        attribute(value, given, 1).stream().min(Values::compare).orElse(new Undefined(name));
                    case "max" ->
                        attribute(value, given, 1).stream().max(Values::compare).orElse(new Undefined(name));
                    case "unique" -> unique(value);
                    case "sort" -> sort(value, given);
                    case "map" -> map(value, given);
                    case "select" -> select(value, given, true);
                    case "reject" -> select(value, given, false);
                    case "selectattr" -> selectByAttribute(value, given, true);
                    case "rejectattr" -> selectByAttribute(value, given, false);
                    default -> throw new JinjaException("template: there is no filter " + name);
                });
    }

    private static double number(Object value) {
        if (!Values.isNumber(value)) {
            throw new JinjaException("template: a number is expected, got " + Values.describe(value));
        }
        return Values.real(value);
    }

    private static String json(Object value, Arguments given) {
        Object indent = given.get(0, "indent", null);
        return Representation.json(value, indent == null ? -1 : (int) Values.integer(indent, "tojson's indent"));
    }

    private static Object standard(Object value, Arguments given) {
        boolean isReplaced =
                value instanceof Undefined || Values.isTrue(given.get(1, "boolean", false)) && !Values.isTrue(value);
        return isReplaced ? given.get(0, "default_value", "") : value;
    }

    private static String indent(String text, Arguments given) {
        Object width = given.get(0, "width", 4L);
        String blanks = width instanceof String own ? own : " ".repeat((int) Values.integer(width, "indent's width"));
        boolean indentsFirst = Values.isTrue(given.get(1, "first", false));
        boolean indentsBlank = Values.isTrue(given.get(2, "blank", false));
        String[] lines = text.split("\n", -1);
        StringBuilder out = new StringBuilder();
        for (int line = 0; line < lines.length; line++) {
            boolean isIndented = (line > 0 || indentsFirst) && (indentsBlank || !lines[line].isEmpty());
            out.append(line == 0 ? "" : "\n").append(isIndented ? blanks : "").append(lines[line]);
        }
        return out.toString();
    }

    private static Object integer(Object value, Arguments given) {
        if (Values.isNumber(value)) {
            return (long) Values.real(value);
        }
        try {
            return (long) Double.parseDouble(Values.text(value).strip());
        } catch (NumberFormatException none) {
            return given.get(0, "default", 0L);
        }
    }

    private static Object real(Object value, Arguments given) {
        if (Values.isNumber(value)) {
            return Values.real(value);
        }
        try {
            return Double.parseDouble(Values.text(value).strip());
        } catch (NumberFormatException none) {
            return given.get(0, "default", 0.0);
        }
    }

    private static double round(double value, Arguments given) {
        int digits = (int) Values.integer(given.get(0, "precision", 0L), "round's precision");
        RoundingMode mode = switch (Values.text(given.get(1, "method", "common"))) {
            case "ceil" -> RoundingMode.CEILING;
            case "floor" -> RoundingMode.FLOOR;
            default -> RoundingMode.HALF_EVEN;
        };
        return new BigDecimal(value).setScale(digits, mode).doubleValue();
    }

    private static List<Object> dictsort(Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new JinjaException("template: dictsort: " + Values.describe(value) + " is no mapping");
        }
        Map<String, Object> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        map.forEach((key, one) -> sorted.put(Values.text(key), one));
        return Methods.items(sorted);
    }

    private static Object edge(List<Object> all, boolean isFirst) {
        if (all.isEmpty()) {
            return new Undefined(isFirst ? "first" : "last");
        }
        return isFirst ? all.getFirst() : all.getLast();
    }

    private static Object reverse(Object value) {
        return value instanceof String text
                ? new StringBuilder(text).reverse().toString()
                : Values.iterate(value).reversed();
    }

    private static String join(Object value, Arguments given) {
        String between = Values.text(given.get(0, "d", ""));
        return String.join(
                between, attribute(value, given, 1).stream().map(Values::text).toList());
    }

    private static Object sum(List<Object> all) {
        Object sum = 0L;
        for (Object one : all) {
            sum = Arithmetic.apply("+", sum, one);
        }
        return sum;
    }

    private static List<Object> attribute(Object value, Arguments given, int place) {
        Object attribute = given.get(place, "attribute", null);
        List<Object> all = Values.iterate(value);
        return attribute == null
                ? all
                : all.stream().map(one -> path(one, Values.text(attribute))).toList();
    }

    private static Object path(Object value, String path) {
        Object found = value;
        for (String part : path.split("\\.")) {
            found = Values.member(found, part.matches("\\d+") ? (Object) Long.parseLong(part) : part);
        }
        return found;
    }

    private static List<Object> unique(Object value) {
        List<Object> unique = new ArrayList<>();
        for (Object one : Values.iterate(value)) {
            if (!Values.contains(unique, one)) {
                unique.add(one);
            }
        }
        return unique;
    }

    private static List<Object> sort(Object value, Arguments given) {
        Object attribute = given.get(2, "attribute", null);
        Comparator<Object> order = (left, right) -> Values.compare(key(left, attribute), key(right, attribute));
        boolean isReversed = Values.isTrue(given.get(0, "reverse", false));
        return Values.iterate(value).stream()
                .sorted(isReversed ? order.reversed() : order)
                .toList();
    }

    private static Object key(Object value, Object attribute) {
        Object key = attribute == null ? value : path(value, Values.text(attribute));
        return key instanceof String text ? text.toLowerCase(Locale.ROOT) : key;
    }

    private static List<Object> map(Object value, Arguments given) {
        List<Object> mapped = new ArrayList<>();
        for (Object one : Values.iterate(value)) {
            if (given.named().containsKey("attribute")) {
                Object found = path(one, Values.text(given.named().get("attribute")));
                boolean isMissing = found instanceof Undefined && given.named().containsKey("default");
                mapped.add(isMissing ? given.named().get("default") : found);
            } else {
                mapped.add(apply(given.text(0, "map"), one, given.rest()));
            }
        }
        return mapped;
    }

    private static List<Object> select(Object value, Arguments given, boolean keeps) {
        Predicate<Object> holds = given.all().isEmpty()
                ? Values::isTrue
                : one -> Conditions.test(given.text(0, "select"), one, given.rest());
        return Values.iterate(value).stream()
                .filter(one -> holds.test(one) == keeps)
                .toList();
    }

    private static List<Object> selectByAttribute(Object value, Arguments given, boolean keeps) {
        String attribute = given.text(0, "selectattr");
        Arguments test = given.rest();
        return Values.iterate(value).stream()
                .filter(one -> {
                    Object found = path(one, attribute);
                    boolean holds = test.all().isEmpty()
                            ? Values.isTrue(found)
                            : Conditions.test(test.text(0, "selectattr"), found, test.rest());
                    return holds == keeps;
                })
                .toList();
    }
}
