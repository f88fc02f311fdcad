package dev.outpost.vocabulary;

import java.util.ArrayList;
import java.util.List;

/**
 * One overload of an op as PyTorch declares it, such as {@code clamp(Tensor input, Number? min=None, Number? max=None)}.
 *
 * @param text the declaration
 * @param parameters in order
 * @param placed how many arguments may be given by place; {@link Integer#MAX_VALUE} where a parameter takes all that follow
 * @param keywordsFrom the first parameter that is only given by its name
 */
record Signature(String text, List<SignatureParameter> parameters, int placed, int keywordsFrom) {
    private static final String REST = "*";

    /** One declaration, with its name before the parenthesis. */
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

    /** Sizes are also taken one by one. */
    private static int allPlaced(List<SignatureParameter> parameters) {
        boolean endsWithList =
                !parameters.isEmpty() && parameters.getLast().type().startsWith("int[]");
        return endsWithList ? Integer.MAX_VALUE : parameters.size();
    }

    /** Split at the commas outside of brackets. */
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

    /** Whether this overload has a parameter of that name. */
    boolean has(String name) {
        return parameters.stream().anyMatch(parameter -> parameter.name().equals(name));
    }

    /** Whether that parameter is still free when so many arguments are given by place. */
    boolean isFree(String name, int given) {
        return parameters.stream()
                .skip(Math.min(given, keywordsFrom))
                .anyMatch(parameter -> parameter.name().equals(name));
    }

    /** The place of a parameter that may be given by place, or -1. */
    int placeOf(String name) {
        for (int place = 0; place < Math.min(keywordsFrom, parameters.size()); place++) {
            if (parameters.get(place).name().equals(name)) {
                return place;
            }
        }
        return -1;
    }

    /** Whether these may be given by place, as far as their types tell. */
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
