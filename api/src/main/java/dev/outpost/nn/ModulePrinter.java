package dev.outpost.nn;

import dev.outpost.types.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints a tree of modules as PyTorch does: children indented by two spaces, their names in parentheses. */
final class ModulePrinter {
    private ModulePrinter() {}

    static String print(Module module) {
        return print(module, module.typeName());
    }

    private static String print(Module module, String type) {
        if (type.equals("ParameterList")) {
            return parameters(module);
        }
        Map<String, Module> children = module.registry().children();
        if (children.isEmpty()) {
            return type + '(' + module.settings() + ')';
        }
        StringJoiner lines = new StringJoiner("\n", type + "(\n", "\n)");
        if (!module.settings().isEmpty()) {
            lines.add("  " + module.settings());
        }
        SequencedMap<String, String> texts = new LinkedHashMap<>();
        children.forEach((name, child) -> texts.put(name, print(child, childType(module, child))));
        entries(texts, type.equals("ModuleList")).forEach(entry -> lines.add(("  " + entry).replace("\n", "\n  ")));
        return lines.toString();
    }

    /** PyTorch has a class of its own for the output layer of an attention. */
    private static String childType(Module parent, Module child) {
        return parent.typeName().equals("MultiheadAttention")
                        && child.typeName().equals("Linear")
                ? "NonDynamicallyQuantizableLinear"
                : child.typeName();
    }

    /** Returns a line for each child. A list shows equal children that follow one another once, with their number. */
    private static List<String> entries(SequencedMap<String, String> texts, boolean isList) {
        List<String> entries = new ArrayList<>();
        List<String> names = List.copyOf(texts.keySet());
        for (int first = 0, next; first < names.size(); first = next) {
            String text = texts.get(names.get(first));
            next = first + 1;
            while (isList && next < names.size() && texts.get(names.get(next)).equals(text)) {
                next++;
            }
            int count = next - first;
            entries.add(
                    count == 1
                            ? "(" + names.get(first) + "): " + text
                            : "(" + names.get(first) + "-" + names.get(next - 1) + "): " + count + " x " + text);
        }
        return entries;
    }

    private static String parameters(Module list) {
        StringJoiner lines = new StringJoiner("\n", "ParameterList(\n", "\n)").setEmptyValue("ParameterList()");
        list.namedParameters().forEach((name, parameter) -> {
            String sizes = Arrays.stream(parameter.shape().toArray())
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining("x"));
            lines.add("    (" + name + "): Parameter containing: [torch." + parameter.dtype() + " of size " + sizes
                    + "]");
        });
        return lines.toString();
    }

    /** Formats sizes as a tuple of Python: {@code (16,)}, {@code (2, 3)}. */
    static String tuple(Shape shape) {
        String sizes = Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return '(' + sizes + (shape.rank() == 1 ? ",)" : ")");
    }

    /** Formats the sizes of an output: {@code 1}, {@code (None, 2)}. */
    static String sizes(@Nullable Long... sizes) {
        List<String> texts = Arrays.stream(sizes)
                .map(size -> size == null ? "None" : size.toString())
                .toList();
        return texts.size() == 1 ? texts.getFirst() : '(' + String.join(", ", texts) + ')';
    }

    /** Formats a float as Python: {@code 0.0001}, {@code 1e-05}. */
    static String number(double value) {
        String java = Double.toString(value);
        int cut = java.indexOf('E');
        if (cut < 0) {
            return java;
        }
        int exponent = Integer.parseInt(java.substring(cut + 1));
        if (exponent >= -4 && exponent < 16) {
            String plain = new BigDecimal(java).stripTrailingZeros().toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        String digits = java.substring(0, cut).replaceFirst("\\.0$", "");
        return digits + String.format("e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
