package dev.outpost.onnx;

import dev.outpost.HostTensor;
import dev.outpost.onnx.type.OnnxException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts callers' values to tensors: tensors, numbers, or Java arrays of any depth. */
final class ModelInputs {
    private ModelInputs() {}

    static Map<String, HostTensor> of(Map<String, ?> inputs) {
        Map<String, HostTensor> tensors = new LinkedHashMap<>();
        inputs.forEach((name, value) -> tensors.put(name, tensor(name, value)));
        return tensors;
    }

    private static HostTensor tensor(String name, Object value) {
        return switch (value) {
            case HostTensor tensor -> tensor;
            case Float number -> HostTensor.scalar(number);
            case Double number -> HostTensor.scalar(number);
            case Long number -> HostTensor.scalar(number);
            case Integer number -> HostTensor.scalar(number);
            case Boolean flag -> HostTensor.scalar(flag);
            case Object array when array.getClass().isArray() -> ofArray(name, array);
            default ->
                throw new OnnxException(
                        "the input " + name + ": expected a HostTensor, a number or an array of numbers, got "
                                + value.getClass().getName());
        };
    }

    private static HostTensor ofArray(String name, Object array) {
        List<Long> sizes = new ArrayList<>();
        Object inner = array;
        while (inner != null && inner.getClass().isArray()) {
            sizes.add((long) Array.getLength(inner));
            inner = Array.getLength(inner) == 0 ? null : Array.get(inner, 0);
        }
        Class<?> element = array.getClass();
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (!element.isPrimitive() || element == char.class) {
            throw new OnnxException("the input " + name + ": expected an array of numbers, got "
                    + array.getClass().getTypeName());
        }
        long count = sizes.stream().reduce(1L, (a, b) -> a * b);
        Object flat = Array.newInstance(element, Math.toIntExact(count));
        int[] next = new int[1];
        fill(name, array, sizes, 0, flat, next);
        return flat(flat, sizes.stream().mapToLong(Long::longValue).toArray());
    }

    private static void fill(String name, Object array, List<Long> sizes, int dim, Object flat, int[] next) {
        int length = Array.getLength(array);
        if (length != sizes.get(dim)) {
            throw new OnnxException(
                    "the input " + name + ": rows have " + sizes.get(dim) + " and " + length + " elements");
        }
        if (dim == sizes.size() - 1) {
            System.arraycopy(array, 0, flat, next[0], length);
            next[0] += length;
            return;
        }
        for (int row = 0; row < length; row++) {
            fill(name, Array.get(array, row), sizes, dim + 1, flat, next);
        }
    }

    private static HostTensor flat(Object flat, long[] sizes) {
        return switch (flat) {
            case float[] values -> HostTensor.of(values, sizes);
            case double[] values -> HostTensor.of(values, sizes);
            case long[] values -> HostTensor.of(values, sizes);
            case int[] values -> HostTensor.of(values, sizes);
            case short[] values -> HostTensor.of(values, sizes);
            case byte[] values -> HostTensor.of(values, sizes);
            case boolean[] values -> HostTensor.of(values, sizes);
            default -> throw new IllegalStateException("no array of numbers");
        };
    }
}
