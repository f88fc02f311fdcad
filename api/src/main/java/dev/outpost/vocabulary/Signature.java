package dev.outpost.vocabulary;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One overload of an op as PyTorch declares it, such as {@code clamp(Tensor input, Number? min=None, Number? max=None)}.
 *
 * @param text the declaration
 * @param parameters the parameters in order
 * @param placed the maximum number of positional arguments; {@link Integer#MAX_VALUE} if a parameter takes all
 * further arguments
 * @param keywordsFrom the index of the first keyword-only parameter
 */
record Signature(String text, List<SignatureParameter> parameters, int placed, int keywordsFrom) {
    private static final String REST = "*";

    /** Parses one declaration, whose name is before the parenthesis. */
    static Signature parse(String text) {
        List<SignatureParameter> parameters = new ArrayList<>();
        int placed = -1;
        int keywordsFrom = Integer.MAX_VALUE;
        for (String part : parts(text.substring(text.indexOf('(') + 1, text.lastIndexOf(')')))) {
            if (part.equals(REST)) {
                placed = allPlaced(parameters);
                keywordsFrom = parameters.size();
            } else if (part.startsWith(REST)) {
                placed = Integer.MAX_VALUE;
                parameters.add(SignatureParameter.parse(part.substring(1)));
                keywordsFrom = parameters.size();
            } else {
                parameters.add(SignatureParameter.parse(part));
            }
        }
        return new Signature(text, List.copyOf(parameters), placed < 0 ? allPlaced(parameters) : placed, keywordsFrom);
    }

    /** Returns the maximum number of positional arguments. A final list of sizes may be given one by one. */
    private static int allPlaced(List<SignatureParameter> parameters) {
        boolean endsWithList =
                !parameters.isEmpty() && parameters.getLast().type().startsWith("int[]");
        return endsWithList ? Integer.MAX_VALUE : parameters.size();
    }

    /** Splits at commas outside of brackets. */
    private static List<String> parts(String list) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int index = 0; index < list.length(); index++) {
            char letter = list.charAt(index);
            depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
            if (letter == ',' && depth == 0) {
                parts.add(list.substring(start, index).strip());
                start = index + 1;
            }
        }
        if (!list.isBlank()) {
            parts.add(list.substring(start).strip());
        }
        return parts;
    }

    /** True if this overload has a parameter of this name. */
    boolean has(String name) {
        return parameters.stream().anyMatch(parameter -> parameter.name().equals(name));
    }

    /** Returns the parameter of a name that this overload has. */
    SignatureParameter parameter(String name) {
        return parameters.stream()
                .filter(parameter -> parameter.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** True if this argument at this position means the same as a missing argument. */
    boolean isDefault(int place, @Nullable Object argument) {
        return argument == null
                || place < Math.min(keywordsFrom, parameters.size())
                        && parameters.get(place).isDefault(argument);
    }

    /** True if this argument of this name means the same as a missing argument. */
    boolean isDefault(String name, @Nullable Object argument) {
        return argument == null
                || parameters.stream()
                        .anyMatch(parameter -> parameter.name().equals(name) && parameter.isDefault(argument));
    }

    /** Returns the position of the list that a call may give item by item, or -1 if there is none. */
    int restPlace() {
        return placed == Integer.MAX_VALUE ? Math.min(keywordsFrom, parameters.size()) - 1 : -1;
    }

    /** True if {@code given} positional arguments do not bind this parameter. */
    boolean isFree(String name, int given) {
        return parameters.stream()
                .skip(Math.min(given, keywordsFrom))
                .anyMatch(parameter -> parameter.name().equals(name));
    }

    /** Returns the position of a parameter, or -1 if it cannot be positional. */
    int placeOf(String name) {
        for (int place = 0; place < Math.min(keywordsFrom, parameters.size()); place++) {
            if (parameters.get(place).name().equals(name)) {
                return place;
            }
        }
        return -1;
    }

    /** True if the types of these positional arguments fit this overload. */
    boolean takes(List<?> given) {
        if (given.size() > placed) {
            return false;
        }
        for (int place = 0; place < Math.min(given.size(), parameters.size()); place++) {
            if (!parameters.get(place).takes(given.get(place))) {
                return false;
            }
        }
        return true;
    }
}
