package dev.outpost.models.jinja;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The methods of Python's strings, lists and mappings for templates. No method changes its value. */
final class Methods {
    /** The arguments that Python accepts by name. */
    private static final Map<String, List<String>> NAMED = Map.of(
            "split", List.of("sep", "maxsplit"),
            "rsplit", List.of("sep", "maxsplit"),
            "replace", List.of("count"),
            "splitlines", List.of("keepends"));

    /** The maximum number of arguments of a method. A method that is not listed has none. */
    private static final Map<String, Integer> MOST_ARGUMENTS = Map.ofEntries(
            Map.entry("strip", 1),
            Map.entry("lstrip", 1),
            Map.entry("rstrip", 1),
            Map.entry("startswith", 3),
            Map.entry("endswith", 3),
            Map.entry("find", 3),
            Map.entry("rfind", 3),
            Map.entry("count", 3),
            Map.entry("removeprefix", 1),
            Map.entry("removesuffix", 1),
            Map.entry("replace", 3),
            Map.entry("split", 2),
            Map.entry("rsplit", 2),
            Map.entry("splitlines", 1),
            Map.entry("join", 1),
            Map.entry("get", 2),
            Map.entry("index", 1));

    private static final Pattern LINE_END = Pattern.compile("\r\n|[\n\r\\u000b\f\\u001c-\\u001e\\u0085\\u2028\\u2029]");

    private Methods() {}

    /** Returns the method of a value, or null if it has none of this name. */
    static Callable of(Object value, String name) {
        Method method = switch (value) {
            case String text -> ofString(text, name);
            case Map<?, ?> map -> ofMap(map, name);
            case List<?> list -> ofList(list, name);
            case null, default -> null;
        };
        List<String> named = NAMED.getOrDefault(name, List.of());
        int max = value instanceof List && name.equals("count") ? 1 : MOST_ARGUMENTS.getOrDefault(name, 0);
        return method == null
                ? null
                : (all, byName) -> {
                    new JinjaArguments(List.of(), byName).checked("the method " + name, named);
                    if (all.size() > max) {
                        throw new JinjaException("template: the method " + name + " has at most " + max
                                + " arguments, got " + all.size());
                    }
                    return JinjaValues.of(method.call(new JinjaArguments(all, byName)));
                };
    }

    private interface Method {
        Object call(JinjaArguments arguments);
    }

    private static Method ofString(String text, String name) {
        return switch (name) {
            case "strip" -> given -> strip(text, given, true, true);
            case "lstrip" -> given -> strip(text, given, true, false);
            case "rstrip" -> given -> strip(text, given, false, true);
            case "startswith" ->
                given -> {
                    Part part = part(text, given);
                    return part != null && prefixes(given).stream().anyMatch(part.text::startsWith);
                };
            case "endswith" ->
                given -> {
                    Part part = part(text, given);
                    return part != null && prefixes(given).stream().anyMatch(part.text::endsWith);
                };
            case "removeprefix" ->
                given -> text.startsWith(given.text(0, name))
                        ? text.substring(given.text(0, name).length())
                        : text;
            case "removesuffix" ->
                given -> text.endsWith(given.text(0, name))
                        ? text.substring(0, text.length() - given.text(0, name).length())
                        : text;
            case "upper" -> given -> text.toUpperCase(Locale.ROOT);
            case "lower" -> given -> text.toLowerCase(Locale.ROOT);
            case "title" -> given -> title(text);
            case "capitalize" -> given -> capitalize(text);
            case "replace" -> given -> replace(text, given);
            case "split" -> given -> split(text, given, false);
            case "rsplit" -> given -> split(text, given, true);
            case "splitlines" -> given -> lines(text, JinjaValues.isTrue(given.get(0, "keepends", false)));
            case "find" -> given -> found(text, given, part -> part.indexOf(given.text(0, name)));
            case "rfind" -> given -> found(text, given, part -> part.lastIndexOf(given.text(0, name)));
            case "count" ->
                given -> {
                    Part part = part(text, given);
                    return part == null ? 0L : (long) count(part.text, given.text(0, name));
                };
            case "join" ->
                given -> String.join(
                        text,
                        JinjaValues.iterate(given.get(0, name)).stream()
                                .map(Methods::requireString)
                                .toList());
            case "isdigit" -> given -> !text.isEmpty() && text.codePoints().allMatch(Character::isDigit);
            case "isalpha" -> given -> !text.isEmpty() && text.codePoints().allMatch(Character::isLetter);
            case "isspace" -> given -> !text.isEmpty() && text.codePoints().allMatch(Methods::isBlank);
            case "isupper" -> given -> text.equals(text.toUpperCase(Locale.ROOT)) && hasCase(text);
            case "islower" -> given -> text.equals(text.toLowerCase(Locale.ROOT)) && hasCase(text);
            default -> null;
        };
    }

    private static String requireString(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new JinjaException("template: join: a string is expected, got " + JinjaValues.describe(value));
    }

    private static boolean hasCase(String text) {
        return !text.toUpperCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT));
    }

    private static List<String> prefixes(JinjaArguments given) {
        Object prefix = given.get(0, "startswith and endswith");
        return prefix instanceof List<?> many
                ? many.stream().map(JinjaValues::text).toList()
                : List.of(JinjaValues.text(prefix));
    }

    /**
     * A part of a text.
     *
     * @param begin the index of its first character in the whole text, in code points
     */
    private record Part(String text, long begin) {}

    /** Returns the part between the second and the third argument; null if the begin is after the end. */
    private static Part part(String text, JinjaArguments given) {
        int length = text.codePointCount(0, text.length());
        long begin = place(given.get(1, "start", null), 0, length);
        long end = Math.min(length, place(given.get(2, "end", null), length, length));
        if (begin > end) {
            return null;
        }
        int from = text.offsetByCodePoints(0, (int) begin);
        return new Part(text.substring(from, text.offsetByCodePoints(from, (int) (end - begin))), begin);
    }

    private static long place(Object given, long standard, long length) {
        long place = given == null ? standard : JinjaValues.integer(given, "a place within a string");
        return place < 0 ? Math.max(0, place + length) : place;
    }

    private static long found(String text, JinjaArguments given, ToIntFunction<String> finder) {
        Part part = part(text, given);
        int place = part == null ? -1 : finder.applyAsInt(part.text);
        return place < 0 ? -1 : part.begin + part.text.codePointCount(0, place);
    }

    static List<String> lines(String text, boolean keepsEnds) {
        List<String> lines = new ArrayList<>();
        Matcher end = LINE_END.matcher(text);
        int at = 0;
        while (end.find()) {
            lines.add(text.substring(at, keepsEnds ? end.end() : end.start()));
            at = end.end();
        }
        if (at < text.length()) {
            lines.add(text.substring(at));
        }
        return lines;
    }

    static String strip(String text, JinjaArguments given, boolean left, boolean right) {
        Object chars = given.get(0, "chars", null);
        IntPredicate isStripped = chars == null
                ? Methods::isBlank
                : character -> JinjaValues.text(chars).indexOf(character) >= 0;
        int begin = 0;
        int end = text.length();
        while (left && begin < end && isStripped.test(text.codePointAt(begin))) {
            begin = text.offsetByCodePoints(begin, 1);
        }
        while (right && end > begin && isStripped.test(text.codePointBefore(end))) {
            end = text.offsetByCodePoints(end, -1);
        }
        return text.substring(begin, end);
    }

    /** True if Python's {@code isspace} is true. */
    private static boolean isBlank(int character) {
        return Character.isWhitespace(character) || "\u0085\u00a0\u2007\u202f".indexOf(character) >= 0;
    }

    private static String title(String text) {
        StringBuilder out = new StringBuilder();
        boolean isInWord = false;
        for (int character : text.codePoints().toArray()) {
            out.appendCodePoint(isInWord ? Character.toLowerCase(character) : Character.toTitleCase(character));
            isInWord = Character.isLetter(character);
        }
        return out.toString();
    }

    static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.offsetByCodePoints(0, 1);
        return Character.toString(Character.toTitleCase(text.codePointAt(0)))
                + text.substring(first).toLowerCase(Locale.ROOT);
    }

    static String replace(String text, JinjaArguments given) {
        String old = JinjaValues.text(given.required(0, "old", "replace"));
        String fresh = JinjaValues.text(given.required(1, "new", "replace"));
        Object most = given.get(2, "count", null);
        long wanted = most == null ? -1 : JinjaValues.integer(most, "replace's count");
        long times = wanted < 0 ? count(text, old) : Math.min(wanted, count(text, old));
        TemplateBudget.requireSize(text.length() + times * fresh.length());
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (long time = 0; time < times; time++) {
            int next = text.indexOf(old, at);
            if (old.isEmpty()) {
                // An empty string is replaced before each character and after the last one.
                next = time == 0 ? 0 : text.offsetByCodePoints(at, 1);
            }
            out.append(text, at, next).append(fresh);
            at = next + old.length();
        }
        return out.append(text, at, text.length()).toString();
    }

    private static int count(String text, String part) {
        if (part.isEmpty()) {
            return text.codePointCount(0, text.length()) + 1;
        }
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static List<String> words(String text, long max, boolean fromRight) {
        List<String> words = new ArrayList<>();
        int[] characters = text.codePoints().toArray();
        int step = fromRight ? -1 : 1;
        int at = beyond(characters, fromRight ? characters.length - 1 : 0, step, true);
        while (at >= 0 && at < characters.length) {
            boolean isLast = max >= 0 && words.size() == max;
            int end = isLast ? fromRight ? -1 : characters.length : beyond(characters, at, step, false);
            words.add(fromRight ? new String(characters, end + 1, at - end) : new String(characters, at, end - at));
            at = beyond(characters, end, step, true);
        }
        return fromRight ? words.reversed() : words;
    }

    /** Returns the index of the first character whose blankness differs from {@code areBlank}. */
    private static int beyond(int[] characters, int from, int step, boolean areBlank) {
        int at = from;
        while (at >= 0 && at < characters.length && isBlank(characters[at]) == areBlank) {
            at += step;
        }
        return at;
    }

    private static List<String> split(String text, JinjaArguments given, boolean fromRight) {
        Object separator = given.get(0, "sep", null);
        long max = JinjaValues.integer(given.get(1, "maxsplit", -1L), "split's maxsplit");
        if (separator == null) {
            return words(text, max, fromRight);
        }
        String by = JinjaValues.text(separator);
        if (by.isEmpty()) {
            throw new JinjaException("template: split: the separator is empty");
        }
        List<String> parts = new ArrayList<>();
        int begin = 0;
        int end = text.length();
        int at = fromRight ? text.lastIndexOf(by, end - by.length()) : text.indexOf(by);
        while (at >= 0 && (max < 0 || parts.size() < max)) {
            if (fromRight) {
                parts.add(text.substring(at + by.length(), end));
                end = at;
                at = text.lastIndexOf(by, end - by.length());
            } else {
                parts.add(text.substring(begin, at));
                begin = at + by.length();
                at = text.indexOf(by, begin);
            }
        }
        parts.add(text.substring(begin, end));
        return fromRight ? parts.reversed() : parts;
    }

    private static Method ofMap(Map<?, ?> map, String name) {
        return switch (name) {
            case "items" -> given -> items(map);
            case "keys" -> given -> new ArrayList<>(map.keySet());
            case "values" -> given -> new ArrayList<>(map.values());
            case "get" ->
                given -> {
                    Object key = JinjaValues.key(map, given.get(0, name));
                    return map.containsKey(key) ? map.get(key) : given.get(1, "default", null);
                };
            default -> null;
        };
    }

    static List<Object> items(Map<?, ?> map) {
        List<Object> items = new ArrayList<>();
        map.forEach((key, value) -> items.add(new Tuple(Arrays.asList(key, value))));
        return items;
    }

    private static Method ofList(List<?> list, String name) {
        return switch (name) {
            case "index" ->
                given -> {
                    for (int place = 0; place < list.size(); place++) {
                        if (JinjaValues.areEqual(list.get(place), given.get(0, name))) {
                            return (long) place;
                        }
                    }
                    throw new JinjaException(
                            "template: index: the list does not have " + JinjaValues.describe(given.get(0, name)));
                };
            case "count" ->
                given -> list.stream()
                        .filter(one -> JinjaValues.areEqual(one, given.get(0, name)))
                        .count();
            default -> null;
        };
    }
}
