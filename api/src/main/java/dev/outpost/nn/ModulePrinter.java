package dev.outpost.nn;

import java.math.BigDecimal;
import java.util.Map;
import java.util.StringJoiner;

/** Prints a tree of modules as PyTorch does: children indented by two spaces, their names in parentheses. */
final class ModulePrinter {
    private ModulePrinter() {}

    static String print(Module module) {
        Map<String, Module> children = module.registry().children();
        if (children.isEmpty()) {
            return module.typeName() + '(' + module.settings() + ')';
        }
        StringJoiner lines = new StringJoiner("\n", module.typeName() + "(\n", "\n)");
        if (!module.settings().isEmpty()) {
            lines.add("  " + module.settings());
        }
        children.forEach(
                (name, child) -> lines.add("  (" + name + "): " + print(child).replace("\n", "\n  ")));
        return lines.toString();
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
