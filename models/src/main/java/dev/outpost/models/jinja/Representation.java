package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Values as Python prints them, and as its JSON module does. */
final class Representation {
    private Representation() {}

    /** Python's {@code repr}. */
    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        represent(value, out);
        return out.toString();
    }

    private static void represent(Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("None");
            case Boolean flag -> out.append(flag ? "True" : "False");
            case Double number -> out.append(real(number));
            case String text -> quote(text, out);
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : ", ");
                    represent(list.get(i), out);
                }
                out.append(']');
            }
            case Map<?, ?> map -> {
                out.append('{');
                String between = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(between);
                    represent(entry.getKey(), out);
                    out.append(": ");
                    represent(entry.getValue(), out);
                    between = ", ";
                }
                out.append('}');
            }
            default -> out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        out.append(quote);
        for (char character : text.toCharArray()) {
            switch (character) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\\' -> out.append("\\\\");
                default -> out.append(character == quote ? "\\" : "").append(character);
            }
        }
        out.append(quote);
    }

    static String real(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(number);
        if (size == 0 || size >= 1e-4 && size < 1e16) {
            String plain = new BigDecimal(Double.toString(number)).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        String digits = exact.scaleByPowerOfTen(-exponent).toPlainString();
        return digits + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    /**
     * Python's {@code json.dumps} with {@code ensure_ascii=False}.
     *
     * @param indent blanks of a level, or -1 for one line
     */
    static String json(Object value, int indent) {
        StringBuilder out = new StringBuilder();
        json(value, indent, 0, out);
        return out.toString();
    }

    private static void json(Object value, int indent, int level, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Boolean flag -> out.append(flag);
            case Long number -> out.append(number);
            case Double number ->
                out.append(
                        Double.isNaN(number)
                                ? "NaN"
                                : Double.isInfinite(number) ? number > 0 ? "Infinity" : "-Infinity" : real(number));
            case String text -> jsonQuote(text, out);
            case List<?> list -> {
                Iterator<?> all = list.iterator();
                block('[', ']', list.isEmpty(), all, one -> json(one, indent, level + 1, out), indent, level, out);
            }
            case Map<?, ?> map ->
                block(
                        '{',
                        '}',
                        map.isEmpty(),
                        map.entrySet().iterator(),
                        entry -> {
                            jsonQuote(jsonKey(entry.getKey()), out);
                            out.append(": ");
                            json(entry.getValue(), indent, level + 1, out);
                        },
                        indent,
                        level,
                        out);
            default -> throw new JinjaException("template: tojson: " + Values.describe(value) + " is no JSON");
        }
    }

    private static String jsonKey(Object key) {
        return key instanceof String text ? text : json(key, -1);
    }

    private static <E> void block(
            char open,
            char close,
            boolean isEmpty,
            Iterator<E> all,
            java.util.function.Consumer<E> each,
            int indent,
            int level,
            StringBuilder out) {
        out.append(open);
        while (all.hasNext()) {
            newline(indent, level + 1, out);
            each.accept(all.next());
            if (all.hasNext()) {
                out.append(indent < 0 ? ", " : ",");
            }
        }
        if (!isEmpty) {
            newline(indent, level, out);
        }
        out.append(close);
    }

    private static void newline(int indent, int level, StringBuilder out) {
        if (indent >= 0) {
            out.append('\n').append(" ".repeat(indent * level));
        }
    }

    private static void jsonQuote(String text, StringBuilder out) {
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
                default -> out.append(character < ' ' ? String.format("\\u%04x", (int) character) : character);
            }
        }
        out.append('"');
    }
}
