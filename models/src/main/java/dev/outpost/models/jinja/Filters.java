package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Filters: what stands behind a bar. */
final class Filters {
    /** The arguments of filters, by their places; others are refused. Those that are not here take whatever they pass on. */
    private static final Map<String, List<String>> ARGUMENTS = Map.ofEntries(
            Map.entry("trim", List.of("chars")),
            Map.entry("replace", List.of("old", "new", "count")),
            Map.entry("tojson", List.of("ensure_ascii", "indent", "separators", "sort_keys")),
            Map.entry("default", List.of("default_value", "boolean")),
            Map.entry("d", List.of("default_value", "boolean")),
            Map.entry("indent", List.of("width", "first", "blank")),
            Map.entry("int", List.of("default", "base")),
            Map.entry("float", List.of("default")),
            Map.entry("round", List.of("precision", "method")),
            Map.entry("dictsort", List.of("case_sensitive", "by", "reverse")),
            Map.entry("join", List.of("d", "attribute")),
            Map.entry("sum", List.of("attribute", "start")),
            Map.entry("min", List.of("case_sensitive", "attribute")),
            Map.entry("max", List.of("case_sensitive", "attribute")),
            Map.entry("unique", List.of("case_sensitive", "attribute")),
            Map.entry("sort", List.of("reverse", "case_sensitive", "attribute")));

    /** As Python's int takes them. */
    private static final int MOST_DIGITS = 4300;

    private static final Set<String> PASS_ON = Set.of("map", "select", "reject", "selectattr", "rejectattr");

    private Filters() {}

    static Object apply(String name, Object value, Arguments passed) {
        Arguments given = PASS_ON.contains(name)
                ? passed
                : passed.checked("the filter " + name, ARGUMENTS.getOrDefault(name, List.of()));
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
                    case "tojson" -> JsonText.of(value, given);
                    case "default", "d" -> standard(value, given);
                    case "indent" -> indent(Values.text(value), given);
                    case "int" -> integer(value, given);
                    case "float" -> real(value, given);
                    case "abs" ->
                        Values.isWhole(value)
                                ? Values.whole(Values.big(value).abs())
                                : (Object) Math.abs(number(value));
                    case "round" -> round(number(value), given);
                    case "items" -> value instanceof Map<?, ?> map ? Methods.items(map) : List.of();
                    case "dictsort" -> dictsort(value, given);
                    case "list" -> Values.iterate(value);
                    case "first" -> edge(Values.iterate(value), true);
                    case "last" -> edge(Values.iterate(value), false);
                    case "reverse" -> reverse(value);
                    case "join" -> join(value, given);
                    case "sum" -> sum(attribute(value, given, 0), given.get(1, "start", 0L));
                    case "min" ->
                        Values.iterate(value).stream().min(order(given, 0, 1)).orElse(new Undefined(name));
                    case "max" ->
                        Values.iterate(value).stream().max(order(given, 0, 1)).orElse(new Undefined(name));
                    case "unique" -> unique(value, given);
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
        if (Values.isWhole(value)) {
            return Values.whole(Values.big(value));
        }
        Object standard = given.get(0, "default", 0L);
        String text = Values.text(value).strip();
        try {
            if (!(value instanceof Double)) {
                int base = (int) Values.integer(given.get(1, "base", 10L), "int's base");
                String digits = text.replaceFirst("^([-+]?)0[xXoObB](?=\\w)", base == 10 ? "$0" : "$1");
                if (digits.length() <= MOST_DIGITS && base >= 2 && base <= 36 && digits.matches("[-+]?\\w+")) {
                    return Values.whole(new BigInteger(digits.startsWith("+") ? digits.substring(1) : digits, base));
                }
            }
        } catch (NumberFormatException notWhole) {
            // Python takes the integer part of a real number then.
        }
        try {
            double number = value instanceof Double real ? real : Double.parseDouble(text);
            return Double.isFinite(number) ? Values.whole(new BigDecimal(number).toBigInteger()) : standard;
        } catch (NumberFormatException none) {
            return standard;
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

    private static List<Object> dictsort(Object value, Arguments given) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new JinjaException("template: dictsort: " + Values.describe(value) + " is no mapping");
        }
        boolean isSensitive = Values.isTrue(given.get(0, "case_sensitive", false));
        String by = Values.text(given.get(1, "by", "key"));
        if (!by.equals("key") && !by.equals("value")) {
            throw new JinjaException("template: dictsort's by must be key or value, got " + by);
        }
        Comparator<Object> order = Comparator.comparing(
                item -> folded(((List<?>) item).get(by.equals("key") ? 0 : 1), isSensitive), Values::compare);
        return Methods.items(map).stream()
                .sorted(Values.isTrue(given.get(2, "reverse", false)) ? order.reversed() : order)
                .toList();
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

    private static Object sum(List<Object> all, Object start) {
        Object sum = start;
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
            found = Values.member(found, part.matches("\\d{1,9}") ? (Object) Long.parseLong(part) : part);
        }
        return found;
    }

    private static List<Object> unique(Object value, Arguments given) {
        boolean isSensitive = Values.isTrue(given.get(0, "case_sensitive", false));
        Object attribute = given.get(1, "attribute", null);
        List<Object> keys = new ArrayList<>();
        List<Object> unique = new ArrayList<>();
        for (Object one : Values.iterate(value)) {
            Object key = key(one, attribute, isSensitive);
            if (!Values.contains(keys, key)) {
                keys.add(key);
                unique.add(one);
            }
        }
        return unique;
    }

    private static List<Object> sort(Object value, Arguments given) {
        Comparator<Object> order = order(given, 1, 2);
        boolean isReversed = Values.isTrue(given.get(0, "reverse", false));
        return Values.iterate(value).stream()
                .sorted(isReversed ? order.reversed() : order)
                .toList();
    }

    /** @param sensitive the place of case_sensitive, before that of attribute */
    private static Comparator<Object> order(Arguments given, int sensitive, int attribute) {
        boolean isSensitive = Values.isTrue(given.get(sensitive, "case_sensitive", false));
        Object path = given.get(attribute, "attribute", null);
        return Comparator.comparing(one -> key(one, path, isSensitive), Values::compare);
    }

    private static Object key(Object value, Object attribute, boolean isSensitive) {
        return folded(attribute == null ? value : path(value, Values.text(attribute)), isSensitive);
    }

    private static Object folded(Object key, boolean isSensitive) {
        return key instanceof String text && !isSensitive ? text.toLowerCase(Locale.ROOT) : key;
    }

    private static List<Object> map(Object value, Arguments given) {
        List<Object> mapped = new ArrayList<>();
        for (Object one : Values.iterate(value)) {
            if (given.named().containsKey("attribute")) {
                new Arguments(List.of(), given.named()).checked("the filter map", List.of("attribute", "default"));
                if (!given.all().isEmpty()) {
                    throw new JinjaException("template: the filter map has either an attribute or a filter");
                }
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
