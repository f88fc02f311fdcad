package dev.outpost.models.jinja;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The representation of values in Python. */
final class Representation {
    private Representation() {}

    /** Returns the text of a value, like Python's {@code repr}. */
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
            case Tuple tuple -> {
                out.append('(');
                for (int i = 0; i < tuple.size(); i++) {
                    out.append(i == 0 ? "" : ", ");
                    represent(tuple.get(i), out);
                }
                out.append(tuple.size() == 1 ? ",)" : ")");
            }
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
        if (size == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        if (size >= 1e-4 && size < 1e16) {
            String plain = new BigDecimal(Double.toString(number)).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = exact.precision() - exact.scale() - 1;
        String digits = exact.scaleByPowerOfTen(-exponent).toPlainString();
        return digits + "e" + (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }
}
