package dev.outpost.models.jinja;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Implements filters, such as {@code text | trim}. */
final class Filters {
    /**
     * The names of the arguments of filters, by position. Other arguments are errors. Filters that are not listed pass their arguments on
     * unchecked.
     */
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
            Map.entry("sort", List.of("reverse", "case_sensitive", "attribute")),
            Map.entry("groupby", List.of("attribute", "default", "case_sensitive")),
            Map.entry("truncate", List.of("length", "killwords", "end", "leeway")),
            Map.entry("center", List.of("width")),
            Map.entry("batch", List.of("linecount", "fill_with")));

    private static final Set<String> WITHOUT_ARGUMENTS = Set.of(
            "upper",
            "lower",
            "title",
            "capitalize",
            "string",
            "safe",
            "length",
            "count",
            "abs",
            "items",
            "list",
            "first",
            "last",
            "reverse");

    private static final Pattern BEFORE_WORDS = Pattern.compile("[-\\s({\\[<]+", Pattern.UNICODE_CHARACTER_CLASS);

    private static final Set<String> PASS_ON = Set.of("map", "select", "reject", "selectattr", "rejectattr");

    private Filters() {}

    static Object apply(String name, Object value, JinjaArguments passed) {
        if (!PASS_ON.contains(name) && !WITHOUT_ARGUMENTS.contains(name) && !ARGUMENTS.containsKey(name)) {
            throw new JinjaException("template: there is no filter " + name);
        }
        JinjaArguments given = PASS_ON.contains(name)
                ? passed
                : passed.checked("the filter " + name, ARGUMENTS.getOrDefault(name, List.of()));
        return JinjaValues.of(
                switch (name) {
                    case "trim" -> Methods.strip(JinjaValues.text(value), given, true, true);
                    case "upper" -> JinjaValues.text(value).toUpperCase(Locale.ROOT);
                    case "lower" -> JinjaValues.text(value).toLowerCase(Locale.ROOT);
                    case "title" -> title(JinjaValues.text(value));
                    case "capitalize" -> Methods.capitalize(JinjaValues.text(value));
                    case "replace" -> Methods.replace(JinjaValues.text(value), given);
                    case "string" -> JinjaValues.text(value);
                    case "safe" -> value;
                    case "length", "count" -> JinjaValues.length(value);
                    case "tojson" -> PythonJson.of(value, given);
                    case "default", "d" -> standard(value, given);
                    case "indent" -> indent(JinjaValues.text(value), given);
                    case "int" -> NumberFilters.integer(value, given);
                    case "float" -> NumberFilters.real(value, given);
                    case "abs" ->
                        JinjaValues.isWhole(value)
                                ? JinjaValues.whole(JinjaValues.big(value).abs())
                                : (Object) Math.abs(NumberFilters.number(value));
                    case "round" -> NumberFilters.round(value, given);
                    case "items" -> value instanceof Map<?, ?> map ? Methods.items(map) : List.of();
                    case "dictsort" -> dictsort(value, given);
                    case "list" -> JinjaValues.iterate(value);
                    case "first" -> edge(JinjaValues.iterate(value), true);
                    case "last" -> edge(JinjaValues.iterate(value), false);
                    case "reverse" -> reverse(value);
                    case "join" -> join(value, given);
                    case "sum" -> sum(attribute(value, given, 0), given.get(1, "start", 0L));
                    case "min" ->
                        JinjaValues.iterate(value).stream()
                                .min(order(given, 0, 1))
                                .orElse(new Undefined(name));
                    case "max" ->
                        JinjaValues.iterate(value).stream()
                                .max(order(given, 0, 1))
                                .orElse(new Undefined(name));
                    case "groupby" -> groups(value, given);
                    case "truncate" -> truncated(JinjaValues.text(value), given);
                    case "center" -> centered(JinjaValues.text(value), given);
                    case "batch" -> batches(value, given);
                    case "unique" -> unique(value, given);
                    case "sort" -> sort(value, given);
                    case "map" -> map(value, given);
                    case "select" -> select(value, given, true);
                    case "reject" -> select(value, given, false);
                    case "selectattr" -> selectByAttribute(value, given, true);
                    case "rejectattr" -> selectByAttribute(value, given, false);
                    default -> throw new IllegalStateException("no filter " + name);
                });
    }

    private static Object standard(Object value, JinjaArguments given) {
        boolean isReplaced = value instanceof Undefined
                || JinjaValues.isTrue(given.get(1, "boolean", false)) && !JinjaValues.isTrue(value);
        return isReplaced ? given.get(0, "default_value", "") : value;
    }

    private static String indent(String text, JinjaArguments given) {
        Object width = given.get(0, "width", 4L);
        String blanks =
                width instanceof String own ? own : " ".repeat((int) JinjaValues.integer(width, "indent's width"));
        boolean indentsFirst = JinjaValues.isTrue(given.get(1, "first", false));
        boolean indentsBlank = JinjaValues.isTrue(given.get(2, "blank", false));
        List<String> lines = Methods.lines(text + "\n", false);
        StringBuilder out = new StringBuilder();
        for (int line = 0; line < lines.size(); line++) {
            boolean isIndented =
                    line == 0 ? indentsFirst : indentsBlank || !lines.get(line).isEmpty();
            out.append(line == 0 ? "" : "\n").append(isIndented ? blanks : "").append(lines.get(line));
        }
        return out.toString();
    }

    /** Converts a text to title case. A word begins only after a blank or a bracket, so that {@code it's} is one word. */
    private static String title(String text) {
        StringBuilder out = new StringBuilder();
        Matcher between = BEFORE_WORDS.matcher(text);
        int at = 0;
        while (between.find()) {
            out.append(word(text.substring(at, between.start()))).append(between.group());
            at = between.end();
        }
        return out.append(word(text.substring(at))).toString();
    }

    private static String word(String word) {
        int first = word.offsetByCodePoints(0, Math.min(1, word.length()));
        return word.substring(0, first).toUpperCase(Locale.ROOT)
                + word.substring(first).toLowerCase(Locale.ROOT);
    }

    private static String part(String text, long codePoints) {
        int length = text.codePointCount(0, text.length());
        long count = codePoints < 0 ? Math.max(0, length + codePoints) : Math.min(length, codePoints);
        return text.substring(0, text.offsetByCodePoints(0, (int) count));
    }

    private static String truncated(String text, JinjaArguments given) {
        long length = JinjaValues.integer(given.get(0, "length", 255L), "truncate's length");
        String end = JinjaValues.text(given.get(2, "end", "..."));
        Object leeway = given.get(3, "leeway", null);
        long more = leeway == null ? 5 : JinjaValues.integer(leeway, "truncate's leeway");
        if (length < JinjaValues.length(end) || more < 0) {
            throw new JinjaException(
                    "template: truncate: the length is at least that of its end, and leeway at least 0");
        }
        if (JinjaValues.length(text) <= length + more) {
            return text;
        }
        String begin = part(text, length - JinjaValues.length(end));
        int blank = JinjaValues.isTrue(given.get(1, "killwords", false)) ? -1 : begin.lastIndexOf(' ');
        return (blank < 0 ? begin : begin.substring(0, blank)) + end;
    }

    private static String centered(String text, JinjaArguments given) {
        long width = JinjaValues.integer(given.get(0, "width", 80L), "center's width");
        TemplateBudget.requireSize(width);
        int blanks = (int) Math.max(0, width - JinjaValues.length(text));
        int left = blanks / 2 + (blanks & (int) width & 1);
        return " ".repeat(left) + text + " ".repeat(blanks - left);
    }

    private static List<Object> batches(Object value, JinjaArguments given) {
        long size = JinjaValues.integer(given.required(0, "linecount", "batch"), "batch's linecount");
        Object filling = given.get(1, "fill_with", null);
        List<Object> batches = new ArrayList<>();
        List<Object> batch = new ArrayList<>();
        for (Object one : JinjaValues.iterate(value)) {
            if (batch.size() == size) {
                batches.add(batch);
                batch = new ArrayList<>();
            }
            batch.add(one);
        }
        if (!batch.isEmpty()) {
            TemplateBudget.requireSize(size);
            while (filling != null && batch.size() < size) {
                batch.add(filling);
            }
            batches.add(batch);
        }
        return batches;
    }

    private static List<Object> groups(Object value, JinjaArguments given) {
        String attribute = JinjaValues.text(given.required(0, "attribute", "groupby"));
        Object standard = given.get(1, "default", null);
        boolean isSensitive = JinjaValues.isTrue(given.get(2, "case_sensitive", false));
        Function<Object, Object> own = one -> {
            Object found = path(one, attribute);
            return found instanceof Undefined && standard != null ? standard : found;
        };
        Function<Object, Object> key = one -> folded(own.apply(one), isSensitive);
        List<Object> groups = new ArrayList<>();
        List<Object> group = new ArrayList<>();
        for (Object one : JinjaValues.iterate(value).stream()
                .sorted(Comparator.comparing(key, JinjaValues::compare))
                .toList()) {
            if (group.isEmpty() || !JinjaValues.areEqual(key.apply(group.getFirst()), key.apply(one))) {
                group = new ArrayList<>();
                groups.add(new Tuple(Arrays.asList(own.apply(one), group), List.of("grouper", "list")));
            }
            group.add(one);
        }
        return groups;
    }

    private static List<Object> dictsort(Object value, JinjaArguments given) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new JinjaException("template: dictsort: " + JinjaValues.describe(value) + " is no mapping");
        }
        boolean isSensitive = JinjaValues.isTrue(given.get(0, "case_sensitive", false));
        String by = JinjaValues.text(given.get(1, "by", "key"));
        if (!by.equals("key") && !by.equals("value")) {
            throw new JinjaException("template: dictsort's by must be key or value, got " + by);
        }
        Comparator<Object> order = Comparator.comparing(
                item -> folded(((List<?>) item).get(by.equals("key") ? 0 : 1), isSensitive), JinjaValues::compare);
        return Methods.items(map).stream()
                .sorted(JinjaValues.isTrue(given.get(2, "reverse", false)) ? order.reversed() : order)
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
                : JinjaValues.iterate(value).reversed();
    }

    private static String join(Object value, JinjaArguments given) {
        String between = JinjaValues.text(given.get(0, "d", ""));
        return String.join(
                between,
                attribute(value, given, 1).stream().map(JinjaValues::text).toList());
    }

    private static Object sum(List<Object> all, Object start) {
        Object sum = start;
        for (Object one : all) {
            sum = Arithmetic.apply("+", sum, one);
        }
        return sum;
    }

    private static List<Object> attribute(Object value, JinjaArguments given, int place) {
        Object attribute = given.get(place, "attribute", null);
        List<Object> all = JinjaValues.iterate(value);
        return attribute == null
                ? all
                : all.stream()
                        .map(one -> path(one, JinjaValues.text(attribute)))
                        .toList();
    }

    private static Object path(Object value, String path) {
        Object found = value;
        for (String part : path.split("\\.")) {
            found = JinjaValues.member(found, part.matches("\\d{1,9}") ? (Object) Long.parseLong(part) : part);
        }
        return found;
    }

    private static List<Object> unique(Object value, JinjaArguments given) {
        boolean isSensitive = JinjaValues.isTrue(given.get(0, "case_sensitive", false));
        Object attribute = given.get(1, "attribute", null);
        List<Object> keys = new ArrayList<>();
        List<Object> unique = new ArrayList<>();
        for (Object one : JinjaValues.iterate(value)) {
            Object key = key(one, attribute, isSensitive);
            if (!JinjaValues.contains(keys, key)) {
                keys.add(key);
                unique.add(one);
            }
        }
        return unique;
    }

    private static List<Object> sort(Object value, JinjaArguments given) {
        Comparator<Object> order = order(given, 1, 2);
        boolean isReversed = JinjaValues.isTrue(given.get(0, "reverse", false));
        return JinjaValues.iterate(value).stream()
                .sorted(isReversed ? order.reversed() : order)
                .toList();
    }

    /** @param sensitive the position of the argument case_sensitive */
    private static Comparator<Object> order(JinjaArguments given, int sensitive, int attribute) {
        boolean isSensitive = JinjaValues.isTrue(given.get(sensitive, "case_sensitive", false));
        Object path = given.get(attribute, "attribute", null);
        return Comparator.comparing(one -> key(one, path, isSensitive), JinjaValues::compare);
    }

    private static Object key(Object value, Object attribute, boolean isSensitive) {
        return folded(attribute == null ? value : path(value, JinjaValues.text(attribute)), isSensitive);
    }

    private static Object folded(Object key, boolean isSensitive) {
        return key instanceof String text && !isSensitive ? text.toLowerCase(Locale.ROOT) : key;
    }

    private static List<Object> map(Object value, JinjaArguments given) {
        List<Object> mapped = new ArrayList<>();
        for (Object one : JinjaValues.iterate(value)) {
            if (given.named().containsKey("attribute")) {
                new JinjaArguments(List.of(), given.named()).checked("the filter map", List.of("attribute", "default"));
                if (!given.all().isEmpty()) {
                    throw new JinjaException("template: the filter map has either an attribute or a filter");
                }
                Object found = path(one, JinjaValues.text(given.named().get("attribute")));
                boolean isMissing = found instanceof Undefined && given.named().containsKey("default");
                mapped.add(isMissing ? given.named().get("default") : found);
            } else {
                mapped.add(apply(given.text(0, "map"), one, given.rest()));
            }
        }
        return mapped;
    }

    private static List<Object> select(Object value, JinjaArguments given, boolean keeps) {
        Predicate<Object> holds = given.all().isEmpty()
                ? JinjaValues::isTrue
                : one -> Conditions.test(given.text(0, "select"), one, given.rest());
        return JinjaValues.iterate(value).stream()
                .filter(one -> holds.test(one) == keeps)
                .toList();
    }

    private static List<Object> selectByAttribute(Object value, JinjaArguments given, boolean keeps) {
        String attribute = given.text(0, "selectattr");
        JinjaArguments test = given.rest();
        return JinjaValues.iterate(value).stream()
                .filter(one -> {
                    Object found = path(one, attribute);
                    boolean holds = test.all().isEmpty()
                            ? JinjaValues.isTrue(found)
                            : Conditions.test(test.text(0, "selectattr"), found, test.rest());
                    return holds == keeps;
                })
                .toList();
    }
}
