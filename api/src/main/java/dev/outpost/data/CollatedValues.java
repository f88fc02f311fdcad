package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.types.OpException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes one value of the values of a batch, as PyTorch's {@code default_collate} does. */
final class CollatedValues {
    private CollatedValues() {}

    /** @param place the position in the elements, for messages; empty for the elements themselves */
    static Object of(List<?> values, String place) {
        requireOneKind(values, place);
        return switch (values.getFirst()) {
            case HostTensor ignored -> stack(values, HostTensor.class::cast, place);
            case Number ignored -> numbers(values, place);
            case Boolean ignored -> stack(values, value -> HostTensor.scalar((boolean) value), place);
            case CharSequence ignored -> List.copyOf(values);
            case Enum<?> ignored -> List.copyOf(values);
            case Map<?, ?> first -> map(values, first, place);
            case List<?> first -> list(values, first, place);
            case Record first -> RecordParts.of(first.getClass()).sameType(values, place);
            case Object first when first.getClass().isArray() -> stack(values, value -> array(value, place), place);
            case Object first ->
                throw problem(
                        place,
                        "a batch of " + first.getClass().getSimpleName()
                                + " cannot be made; give the DataLoader a collate function");
        };
    }

    private static void requireOneKind(List<?> values, String place) {
        Class<?> first = kind(values.getFirst(), 0, place);
        for (int index = 1; index < values.size(); index++) {
            Class<?> other = kind(values.get(index), index, place);
            if (other != first) {
                throw problem(
                        place,
                        "the elements of a batch must be of one type, element 0 is " + first.getSimpleName()
                                + " and element " + index + " is " + other.getSimpleName());
            }
        }
    }

    private static Class<?> kind(Object value, int index, String place) {
        return switch (value) {
            case null -> throw problem(place, "element " + index + " is null");
            case Number ignored -> Number.class;
            case CharSequence ignored -> CharSequence.class;
            case Enum<?> ignored -> Enum.class;
            case Map<?, ?> ignored -> Map.class;
            case List<?> ignored -> List.class;
            default -> value.getClass();
        };
    }

    private static boolean isWhole(Object number) {
        return number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte;
    }

    private static HostTensor numbers(List<?> values, String place) {
        if (values.stream().allMatch(CollatedValues::isWhole)) {
            return stack(values, value -> HostTensor.scalar(((Number) value).longValue()), place);
        }
        return values.stream().allMatch(Float.class::isInstance)
                ? stack(values, value -> HostTensor.scalar((float) value), place)
                : stack(values, value -> HostTensor.scalar(((Number) value).doubleValue()), place);
    }

    private static HostTensor stack(List<?> values, Function<Object, HostTensor> tensor, String place) {
        List<HostTensor> tensors = new ArrayList<>();
        values.forEach(value -> tensors.add(tensor.apply(value)));
        HostTensor first = tensors.getFirst();
        for (int index = 1; index < tensors.size(); index++) {
            HostTensor other = tensors.get(index);
            if (!other.shape().equals(first.shape()) || other.dtype() != first.dtype()) {
                throw problem(
                        place,
                        "tensors of one shape and dtype are stacked, element 0 is " + first.dtype() + first.shape()
                                + " and element " + index + " is " + other.dtype() + other.shape()
                                + "; pad or resize them, or collate into a record with a List");
            }
        }
        return HostTensor.stack(tensors);
    }

    private static Map<Object, Object> map(List<?> values, Map<?, ?> first, String place) {
        Map<Object, Object> collated = new LinkedHashMap<>();
        for (Object key : first.keySet()) {
            collated.put(key, of(column(values, key, place), place.isEmpty() ? "" + key : place + "." + key));
        }
        return collated;
    }

    private static List<Object> column(List<?> values, Object key, String place) {
        List<Object> column = new ArrayList<>();
        for (int index = 0; index < values.size(); index++) {
            Map<?, ?> map = (Map<?, ?>) values.get(index);
            if (!map.containsKey(key)) {
                throw problem(place, "element " + index + " has no " + key + ", it has " + map.keySet());
            }
            column.add(map.get(key));
        }
        return column;
    }

    private static List<Object> list(List<?> values, List<?> first, String place) {
        for (int index = 1; index < values.size(); index++) {
            int size = ((List<?>) values.get(index)).size();
            if (size != first.size()) {
                throw problem(
                        place,
                        "lists of one size are collated, element 0 has " + first.size() + " and element " + index
                                + " has " + size);
            }
        }
        List<Object> collated = new ArrayList<>();
        for (int position = 0; position < first.size(); position++) {
            int at = position;
            List<Object> column = new ArrayList<>();
            values.forEach(value -> column.add(((List<?>) value).get(at)));
            collated.add(of(column, place + "[" + at + "]"));
        }
        return collated;
    }

    private static HostTensor array(Object array, String place) {
        return switch (array) {
            case float[] values -> HostTensor.of(values);
            case double[] values -> HostTensor.of(values);
            case long[] values -> HostTensor.of(values);
            case int[] values -> HostTensor.of(values);
            case short[] values -> HostTensor.of(values);
            case byte[] values -> HostTensor.of(values);
            case boolean[] values -> HostTensor.of(values);
            case Object[] values
            when Array.getLength(values) > 0 -> {
                List<HostTensor> rows = new ArrayList<>();
                for (Object row : values) {
                    if (row == null || !row.getClass().isArray()) {
                        throw problem(
                                place,
                                "an array of "
                                        + values.getClass().getComponentType().getSimpleName() + " is no tensor");
                    }
                    rows.add(array(row, place));
                }
                yield stack(rows, HostTensor.class::cast, place);
            }
            default -> throw problem(place, array.getClass().getSimpleName() + " of this size is no tensor");
        };
    }

    static OpException problem(String place, String sentence) {
        return new OpException("collate", (place.isEmpty() ? "" : place + ": ") + sentence);
    }
}
