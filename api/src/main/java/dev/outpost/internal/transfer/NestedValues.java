package dev.outpost.internal.transfer;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.HostShapes;
import dev.outpost.internal.ops.HostElements;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads nested arrays and lists, such as {@code float[][]} or {@code List<List<Double>>}, as the elements of one tensor. All parts at
 * one depth must have the same length and the same kind.
 */
public final class NestedValues {
    private static final Map<Class<?>, DType> PRIMITIVES = Map.of(
            float.class, DType.FLOAT32,
            double.class, DType.FLOAT64,
            long.class, DType.INT64,
            int.class, DType.INT32,
            short.class, DType.INT16,
            byte.class, DType.INT8,
            boolean.class, DType.BOOL);

    /** The size of each dimension, as the first part at its depth has it. */
    private final List<Long> sizes = new ArrayList<>();
    /** The primitive arrays, or single elements, in row-major order. */
    private final List<Object> leaves = new ArrayList<>();
    /** The type of all leaves; null until the first one, which also decides how deep the others are. */
    private @Nullable Class<?> kind;

    private NestedValues() {}

    /** Reads an array of arrays or a list. Throws an {@link OpException} that names the index of the first part that does not fit. */
    public static HostElements read(Object nested) {
        NestedValues values = new NestedValues();
        values.add(nested, 0, "");
        values.addSizesOfEmptyArrays(nested.getClass());
        Shape shape = Shape.of(values.sizes.stream().mapToLong(Long::longValue).toArray());
        DType dtype = values.dtype(nested.getClass());
        return new HostElements(dtype, shape, values.bytes(dtype, shape));
    }

    private void add(@Nullable Object value, int depth, String index) {
        switch (value) {
            case null -> throw problem("expected a number or a boolean, got null at " + index);
            case List<?> list -> {
                addSize(list.size(), depth, index);
                int position = 0;
                for (Object element : list) {
                    add(element, depth + 1, index + "[" + position++ + "]");
                }
            }
            case Object[] array -> {
                addSize(array.length, depth, index);
                for (int i = 0; i < array.length; i++) {
                    add(array[i], depth + 1, index + "[" + i + "]");
                }
            }
            default -> addLeaf(value, depth, index);
        }
    }

    private void addLeaf(Object value, int depth, String index) {
        Class<?> found = kindOf(value, index);
        if (value.getClass().isArray()) {
            addSize(Array.getLength(value), depth, index);
        } else if (depth < sizes.size()) {
            throw problem("expected a row of " + sizes.get(depth) + ", got the single value " + value + " at " + index);
        }
        if (kind == null) {
            kind = found;
        } else if (kind != found) {
            throw problem("expected one type, got " + described(kind) + " and " + described(found) + " at " + index);
        }
        leaves.add(value);
    }

    /** Returns the type of an array's elements, or the class of one of these for a single value: Number, Boolean. */
    private Class<?> kindOf(Object value, String index) {
        if (value.getClass().isArray()
                && PRIMITIVES.containsKey(value.getClass().getComponentType())) {
            return value.getClass().getComponentType();
        }
        return switch (value) {
            case Number ignored -> Number.class;
            case Boolean ignored -> Boolean.class;
            default ->
                throw problem("expected a number or a boolean, got a "
                        + value.getClass().getSimpleName() + " at " + index);
        };
    }

    private static String described(Class<?> kind) {
        return kind.isPrimitive() ? kind.getSimpleName() + "[]" : kind.getSimpleName();
    }

    private void addSize(int size, int depth, String index) {
        if (depth < sizes.size()) {
            if (sizes.get(depth) != size) {
                throw problem("the rows differ in length, got " + sizes.get(depth) + " at " + "[0]".repeat(depth)
                        + " and " + size + " at " + index);
            }
        } else if (kind != null) {
            throw problem("expected a single value, got a row of " + size + " at " + index);
        } else if (depth == Shape.MAX_RANK) {
            throw problem("expected at most " + Shape.MAX_RANK + " dimensions, got more at " + index);
        } else {
            sizes.add((long) size);
        }
    }

    /** An array without rows still has as many dimensions as its type. */
    private void addSizesOfEmptyArrays(Class<?> type) {
        int dimensions = 0;
        for (Class<?> part = type; part.isArray(); part = part.getComponentType()) {
            dimensions++;
        }
        while (sizes.size() < dimensions) {
            sizes.add(0L);
        }
    }

    private DType dtype(Class<?> type) {
        if (kind == null) {
            Class<?> element = type;
            while (element.isArray()) {
                element = element.getComponentType();
            }
            return PRIMITIVES.getOrDefault(element, DType.FLOAT32);
        }
        if (kind.isPrimitive()) {
            return PRIMITIVES.get(kind);
        }
        if (kind == Boolean.class) {
            return DType.BOOL;
        }
        return leaves.stream().allMatch(NestedValues::isWhole) ? DType.INT64 : DType.FLOAT32;
    }

    private static boolean isWhole(Object number) {
        return number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte;
    }

    private byte[] bytes(DType dtype, Shape shape) {
        byte[] bytes = new byte[HostShapes.requireHeld(dtype, shape)];
        ByteBuffer target = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (Object leaf : leaves) {
            put(leaf, dtype, target);
        }
        return bytes;
    }

    private static void put(Object leaf, DType dtype, ByteBuffer target) {
        int from = target.position();
        switch (leaf) {
            case float[] row -> target.asFloatBuffer().put(row);
            case double[] row -> target.asDoubleBuffer().put(row);
            case long[] row -> target.asLongBuffer().put(row);
            case int[] row -> target.asIntBuffer().put(row);
            case short[] row -> target.asShortBuffer().put(row);
            case byte[] row -> target.duplicate().put(row);
            case boolean[] row -> {
                for (int i = 0; i < row.length; i++) {
                    target.put(from + i, (byte) (row[i] ? 1 : 0));
                }
            }
            case Boolean value -> target.put(from, (byte) (value ? 1 : 0));
            case Number value when dtype == DType.INT64 -> target.putLong(from, value.longValue());
            default -> target.putFloat(from, ((Number) leaf).floatValue());
        }
        int count = leaf.getClass().isArray() ? Array.getLength(leaf) : 1;
        target.position(from + count * dtype.bytes());
    }

    private static OpException problem(String sentence) {
        return new OpException(SourceLine.calledOp(), sentence);
    }
}
