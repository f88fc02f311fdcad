package dev.outpost.models.jinja;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Methods of Python's strings, lists and mappings that templates call. None changes its value. */
final class Methods {
    /** The arguments that Python takes by name. */
    private static final Map<String, List<String>> NAMED = Map.of(
            "split", List.of("sep", "maxsplit"), "rsplit", List.of("sep", "maxsplit"), "replace", List.of("count"));

    private Methods() {}

    /** The method of a value, or null. */
    static Callable of(Object value, String name) {
        Method method = switch (value) {
            case String text -> ofString(text, name);
            case Map<?, ?> map -> ofMap(map, name);
            case List<?> list -> ofList(list, name);
            case null, default -> null;
        };
        List<String> named = NAMED.getOrDefault(name, List.of());
        return method == null
                ? null
                : (all, byName) -> {
                    new Arguments(List.of(), byName).checked("the method " + name, named);
                    return Values.of(method.call(new Arguments(all, byName)));
                };
    }

    private interface Method {
        Object call(Arguments arguments);
    }

    private static Method ofString(String text, String name) {
        return switch (name) {
            case "strip" -> given -> strip(text, given, true, true);
            case "lstrip" -> given -> strip(text, given, true, false);
            case "rstrip" -> given -> strip(text, given, false, true);
            case "startswith" -> given -> prefixes(given).stream().anyMatch(text::startsWith);
            case "endswith" -> given -> prefixes(given).stream().anyMatch(text::endsWith);
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
            case "splitlines" ->
                given -> text.isEmpty() ? List.of() : text.lines().toList();
            case "find" -> given -> text.indexOf(given.text(0, name));
            case "rfind" -> given -> text.lastIndexOf(given.text(0, name));
            case "count" -> given -> count(text, given.text(0, name));
            case "join" ->
                given -> String.join(
                        text,
                        Values.iterate(given.get(0, name)).stream()
                                .map(Values::text)
                                .toList());
            case "isdigit" -> given -> !text.isEmpty() && text.codePoints().allMatch(Character::isDigit);
            case "isalpha" -> given -> !text.isEmpty() && text.codePoints().allMatch(Character::isLetter);
            case "isspace" -> given -> !text.isEmpty() && text.isBlank();
            case "isupper" -> given -> text.equals(text.toUpperCase(Locale.ROOT)) && hasCase(text);
            case "islower" -> given -> text.equals(text.toLowerCase(Locale.ROOT)) && hasCase(text);
            default -> null;
        };
    }

    private static boolean hasCase(String text) {
        return !text.toUpperCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT));
    }

    private static List<String> prefixes(Arguments given) {
        Object prefix = given.get(0, "startswith and endswith");
        return prefix instanceof List<?> many ? many.stream().map(Values::text).toList() : List.of(Values.text(prefix));
    }

    static String strip(String text, Arguments given, boolean left, boolean right) {
        Object these = given.get(0, "chars", null);
        int begin = 0;
        int end = text.length();
        while (left && begin < end && isStripped(text.charAt(begin), these)) {
            begin++;
        }
        while (right && end > begin && isStripped(text.charAt(end - 1), these)) {
            end--;
        }
        return text.substring(begin, end);
    }

    private static boolean isStripped(char character, Object these) {
        return these == null
                ? Character.isWhitespace(character) || character == '\u00a0' || character == '\u0085'
                : Values.text(these).indexOf(character) >= 0;
    }

    static String title(String text) {
        StringBuilder out = new StringBuilder();
        boolean isInWord = false;
        for (char character : text.toCharArray()) {
            out.append(isInWord ? Character.toLowerCase(character) : Character.toTitleCase(character));
            isInWord = Character.isLetter(character);
        }
        return out.toString();
    }

    static String capitalize(String text) {
        return text.isEmpty()
                ? text
                : Character.toTitleCase(text.charAt(0)) + text.substring(1).toLowerCase(Locale.ROOT);
    }

    static String replace(String text, Arguments given) {
        String old = Values.text(given.required(0, "old", "replace"));
        String fresh = Values.text(given.required(1, "new", "replace"));
        Object most = given.get(2, "count", null);
        long left = most == null ? Long.MAX_VALUE : Values.integer(most, "replace's count");
        if (left < 0 || left == Long.MAX_VALUE) {
            Budget.requireSize(text.length() + (long) count(text, old) * fresh.length());
            return text.replace(old, fresh);
        }
        StringBuilder out = new StringBuilder(text);
        for (int at = out.indexOf(old); at >= 0 && left-- > 0; at = out.indexOf(old, at + fresh.length())) {
            out.replace(at, at + old.length(), fresh);
        }
        return out.toString();
    }

    private static int count(String text, String part) {
        if (part.isEmpty()) {
            return text.length() + 1;
        }
        int count = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            count++;
        }
        return count;
    }

    private static List<String> split(String text, Arguments given, boolean fromRight) {
        Object separator = given.get(0, "sep", null);
        long most = Values.integer(given.get(1, "maxsplit", -1L), "split's maxsplit");
        if (separator == null) {
            String stripped = text.strip();
            return stripped.isEmpty()
                    ? List.of()
                    : Arrays.asList(stripped.split("\\s+", most < 0 ? 0 : Math.toIntExact(most + 1)));
        }
        String by = Values.text(separator);
        if (by.isEmpty()) {
            throw new JinjaException("template: split: the separator is empty");
        }
        List<String> parts = new ArrayList<>();
        String rest = text;
        int at = fromRight ? rest.lastIndexOf(by) : rest.indexOf(by);
        while (at >= 0 && (most < 0 || parts.size() < most)) {
            parts.add(fromRight ? rest.substring(at + by.length()) : rest.substring(0, at));
            rest = fromRight ? rest.substring(0, at) : rest.substring(at + by.length());
            at = fromRight ? rest.lastIndexOf(by) : rest.indexOf(by);
        }
        parts.add(rest);
        return fromRight ? parts.reversed() : parts;
    }

    private static Method ofMap(Map<?, ?> map, String name) {
        return switch (name) {
            case "items" -> given -> items(map);
            case "keys" -> given -> new ArrayList<>(map.keySet());
            case "values" -> given -> new ArrayList<>(map.values());
            case "get" ->
                given -> map.containsKey(given.get(0, name))
                        ? map.get(given.get(0, name))
                        : given.get(1, "default", null);
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
            case "index" -> given -> list.indexOf(given.get(0, name));
            case "count" ->
                given -> list.stream()
                        .filter(one -> Values.areEqual(one, given.get(0, name)))
                        .count();
            default -> null;
        };
    }
}
