package dev.outpost.serving.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts tensors to and from nested JSON arrays. Numbers that JSON lacks are the texts {@code NaN}, {@code Infinity} and
 * {@code -Infinity}. Elements of bool are {@code true} and {@code false}.
 */
final class TensorJson {
    private TensorJson() {}

    /**
     * Reads a tensor.
     *
     * @param what its place in the request, for refusals
     * @throws IllegalArgumentException if the arrays are ragged, or an element does not fit the dtype
     */
    static HostTensor read(String what, JsonNode json, DType dtype) {
        List<Long> sizes = new ArrayList<>();
        for (JsonNode inner = json; inner.isArray(); inner = inner.get(0)) {
            sizes.add((long) inner.size());
            if (inner.isEmpty()) {
                break;
            }
            if (sizes.size() > Shape.MAX_RANK) {
                throw new IllegalArgumentException(what + ": arrays are nested more than " + Shape.MAX_RANK + " deep");
            }
        }
        List<JsonNode> elements = new ArrayList<>();
        collect(what, json, sizes, 0, elements);
        return of(what, elements, dtype)
                .reshape(sizes.stream().mapToLong(Long::longValue).toArray());
    }

    private static void collect(String what, JsonNode json, List<Long> sizes, int depth, List<JsonNode> elements) {
        if (depth == sizes.size()) {
            if (json.isArray()) {
                throw ragged(what, sizes);
            }
            elements.add(json);
            return;
        }
        if (!json.isArray() || json.size() != sizes.get(depth)) {
            throw ragged(what, sizes);
        }
        json.forEach(inner -> collect(what, inner, sizes, depth + 1, elements));
    }

    private static IllegalArgumentException ragged(String what, List<Long> sizes) {
        return new IllegalArgumentException(
                what + ": expected arrays that have one shape, which begins as " + sizes + ", got others, too");
    }

    private static HostTensor of(String what, List<JsonNode> elements, DType dtype) {
        if (dtype == DType.BOOL) {
            boolean[] flags = new boolean[elements.size()];
            for (int index = 0; index < flags.length; index++) {
                flags[index] = flag(what, elements.get(index));
            }
            return HostTensor.of(flags);
        }
        if (dtype.isFloating()) {
            return HostTensor.of(elements.stream()
                            .mapToDouble(element -> number(what, element))
                            .toArray())
                    .to(dtype);
        }
        return whole(what, elements, dtype);
    }

    private static boolean flag(String what, JsonNode element) {
        if (!element.isBoolean()) {
            throw wrong(what, "true or false", element);
        }
        return element.booleanValue();
    }

    private static double number(String what, JsonNode element) {
        if (element.isTextual()) {
            return switch (element.textValue()) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> throw wrong(what, "a number", element);
            };
        }
        if (!element.isNumber()) {
            throw wrong(what, "a number", element);
        }
        return element.doubleValue();
    }

    private static HostTensor whole(String what, List<JsonNode> elements, DType dtype) {
        long[] values = new long[elements.size()];
        for (int index = 0; index < values.length; index++) {
            JsonNode element = elements.get(index);
            if (!element.isIntegralNumber() || !element.canConvertToLong()) {
                throw wrong(what, "a whole number", element);
            }
            values[index] = element.longValue();
        }
        HostTensor exact = HostTensor.of(values);
        HostTensor held = exact.to(dtype);
        if (!held.to(DType.INT64).equals(exact)) {
            throw new IllegalArgumentException(what + ": a number is too large for " + dtype);
        }
        return held;
    }

    private static IllegalArgumentException wrong(String what, String expected, JsonNode element) {
        return new IllegalArgumentException(what + ": expected " + expected + ", got "
                + element.getNodeType().name().toLowerCase(java.util.Locale.ROOT));
    }

    static JsonNode write(HostTensor tensor) {
        return write(tensor, 0, 0, (int) tensor.shape().elements());
    }

    private static JsonNode write(HostTensor tensor, int dim, int from, int count) {
        if (dim == tensor.shape().rank()) {
            return element(tensor, from);
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        int size = (int) tensor.shape().size(dim);
        for (int index = 0; index < size; index++) {
            int inner = count / size;
            array.add(write(tensor, dim + 1, from + index * inner, inner));
        }
        return array;
    }

    private static JsonNode element(HostTensor tensor, int index) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (tensor.dtype() == DType.BOOL) {
            return nodes.booleanNode(tensor.getBoolean(index));
        }
        if (!tensor.dtype().isFloating()) {
            return nodes.numberNode(tensor.getLong(index));
        }
        double value = tensor.getDouble(index);
        if (!Double.isFinite(value)) {
            return nodes.textNode(Double.toString(value));
        }
        return tensor.dtype() == DType.FLOAT64 ? nodes.numberNode(value) : nodes.numberNode((float) value);
    }
}
