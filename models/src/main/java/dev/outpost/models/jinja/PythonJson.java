package dev.outpost.models.jinja;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Writes values as JSON like Python's {@code json.dumps}, with the arguments of {@code tojson} in transformers. */
final class PythonJson {
    private final StringBuilder out = new StringBuilder();
    private final boolean isAscii;
    /** The indentation of each level; null to write one line. */
    private final String indent;

    private final String between;
    private final String behindKey;
    private final boolean sortsKeys;

    private PythonJson(boolean isAscii, String indent, String between, String behindKey, boolean sortsKeys) {
        this.isAscii = isAscii;
        this.indent = indent;
        this.between = between;
        this.behindKey = behindKey;
        this.sortsKeys = sortsKeys;
    }

    /** @param given {@code ensure_ascii}, {@code indent}, {@code separators} and {@code sort_keys} */
    static String of(Object value, JinjaArguments given) {
        Object blanks = given.get(1, "indent", null);
        String indent = switch (blanks) {
            case null -> null;
            case String own -> own;
            default -> {
                long width = Math.max(0, JinjaValues.integer(blanks, "tojson's indent"));
                TemplateBudget.requireSize(width);
                yield " ".repeat((int) width);
            }
        };
        String between = indent == null ? ", " : ",";
        String behindKey = ": ";
        Object separators = given.get(2, "separators", null);
        if (separators != null) {
            if (!(separators instanceof List<?> two)
                    || two.size() != 2
                    || !(two.get(0) instanceof String item && two.get(1) instanceof String key)) {
                throw new JinjaException(
                        "template: tojson's separators must be two strings, got " + JinjaValues.describe(separators));
            }
            between = item;
            behindKey = key;
        }
        PythonJson json = new PythonJson(
                JinjaValues.isTrue(given.get(0, "ensure_ascii", false)),
                indent,
                between,
                behindKey,
                JinjaValues.isTrue(given.get(3, "sort_keys", false)));
        json.write(value, 0);
        return json.out.toString();
    }

    private void write(Object value, int level) {
        switch (value) {
            case null -> out.append("null");
            case Boolean flag -> out.append(flag);
            case Long number -> out.append(number);
            case BigInteger number -> out.append(number);
            case Double number -> out.append(real(number));
            case String text -> quote(text);
            case List<?> list -> block('[', ']', list.iterator(), one -> write(one, level + 1), level);
            case Map<?, ?> map -> {
                Stream<? extends Map.Entry<?, ?>> entries = map.entrySet().stream();
                if (sortsKeys) {
                    entries = entries.sorted(Comparator.comparing(Map.Entry::getKey, JinjaValues::compare));
                }
                block('{', '}', entries.iterator(), entry -> member(entry, level), level);
            }
            default -> throw new JinjaException("template: tojson: " + JinjaValues.describe(value) + " is no JSON");
        }
    }

    private static String real(double number) {
        return Double.isNaN(number)
                ? "NaN"
                : Double.isInfinite(number) ? number > 0 ? "Infinity" : "-Infinity" : Representation.real(number);
    }

    private void member(Map.Entry<?, ?> entry, int level) {
        quote(key(entry.getKey()));
        out.append(behindKey);
        write(entry.getValue(), level + 1);
    }

    private static String key(Object key) {
        return switch (key) {
            case null -> "null";
            case String text -> text;
            case Boolean flag -> flag.toString();
            case Double number -> real(number);
            case Long number -> number.toString();
            case BigInteger number -> number.toString();
            default ->
                throw new JinjaException("template: tojson: " + JinjaValues.describe(key) + " is no key of JSON");
        };
    }

    private <E> void block(char open, char close, Iterator<E> all, Consumer<E> each, int level) {
        out.append(open);
        boolean isEmpty = !all.hasNext();
        while (all.hasNext()) {
            newline(level + 1);
            each.accept(all.next());
            if (all.hasNext()) {
                out.append(between);
            }
        }
        if (!isEmpty) {
            newline(level);
        }
        out.append(close);
        TemplateBudget.requireSize(out.length());
    }

    private void newline(int level) {
        if (indent != null) {
            TemplateBudget.requireSize(out.length() + (long) indent.length() * level);
            out.append('\n').append(indent.repeat(level));
        }
    }

    private void quote(String text) {
        out.append('"');
        for (char character : text.toCharArray()) {
            switch (character) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    boolean isEscaped = character < ' ' || isAscii && character > '~';
                    out.append(isEscaped ? String.format("\\u%04x", (int) character) : character);
                }
            }
        }
        out.append('"');
    }
}
