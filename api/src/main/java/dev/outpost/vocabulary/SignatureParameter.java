package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a {@link Signature}.
 *
 * @param type the type in PyTorch's schema, such as {@code Tensor?} or {@code int[]}; empty if the schema has none
 * @param isOptional true if the parameter has a default
 * @param byDefault the default in the form of an argument; null for None, or if the parameter has no default
 */
record SignatureParameter(
        String type,
        String name,
        boolean isOptional,
        @Nullable Object byDefault) {

    static SignatureParameter parse(String text) {
        int equals = text.indexOf('=');
        String declared = (equals < 0 ? text : text.substring(0, equals)).strip();
        int space = declared.lastIndexOf(' ');
        return new SignatureParameter(
                space < 0 ? "" : declared.substring(0, space),
                declared.substring(space + 1),
                equals >= 0,
                equals < 0 ? null : literal(text.substring(equals + 1).strip()));
    }

    private static @Nullable Object literal(String text) {
        return switch (text.charAt(0)) {
            case 'N' -> null;
            case 'T' -> true;
            case 'F' -> false;
            case '\'' -> text.substring(1, text.length() - 1);
            case '[' -> list(text.substring(1, text.length() - 1));
            default -> number(text);
        };
    }

    /** Parses a default list. Returns null for an empty list, because rows treat it as a missing argument. */
    private static @Nullable List<?> list(String items) {
        return items.isBlank()
                ? null
                : Arrays.stream(items.split(","))
                        .map(String::strip)
                        .map(SignatureParameter::number)
                        .toList();
    }

    private static Number number(String text) {
        boolean isWhole = text.chars().allMatch(letter -> letter == '-' || Character.isDigit(letter));
        if (isWhole) {
            return Long.valueOf(text);
        }
        return Double.valueOf(text);
    }

    /** True if the argument is the default. */
    boolean isDefault(Object argument) {
        return byDefault instanceof Number number && argument instanceof Number given
                ? number.doubleValue() == given.doubleValue()
                : argument.equals(byDefault);
    }

    /** True if this parameter accepts the argument. A list may also be given item by item, and a number as a tensor. */
    boolean takes(@Nullable Object argument) {
        if (argument == null) {
            return type.isEmpty() || type.endsWith("?");
        }
        return switch (type.replace("?", "")) {
            case "Tensor" -> argument instanceof Tensor;
            case "bool" -> argument instanceof Boolean;
            case "str" -> argument instanceof String;
            case "dtype" -> argument instanceof DType;
            case "int", "float", "Number" ->
                argument instanceof Number || argument instanceof Boolean || argument instanceof Tensor;
            case "int[]", "float[]" -> !(argument instanceof Boolean || argument instanceof String);
            default -> true;
        };
    }
}
