package dev.outpost.data;

import dev.outpost.HostTensor;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The components of a record class, by reflection. */
final class RecordParts {
    private static final ClassValue<RecordParts> CACHE = new ClassValue<>() {
        @Override
        protected RecordParts computeValue(Class<?> type) {
            return new RecordParts(type);
        }
    };

    private final Class<?> type;
    private final RecordComponent[] components;

    private RecordParts(Class<?> type) {
        this.type = type;
        components = type.getRecordComponents();
    }

    static RecordParts of(Class<?> type) {
        return CACHE.get(type);
    }

    /** Returns a record of this class with the collated components of records of this class. */
    Object sameType(List<?> records, String place) {
        List<Object> parts = new ArrayList<>();
        for (RecordComponent component : components) {
            String own = child(place, component.getName());
            Object part = CollatedValues.of(column(records, component), own);
            if (!component.getType().isInstance(part)) {
                throw CollatedValues.problem(
                        own,
                        "a batch has a " + name(part) + " here, and " + type.getSimpleName() + " holds a "
                                + component.getType().getSimpleName() + "; use Collate.into(a record for batches)");
            }
            parts.add(part);
        }
        return create(parts);
    }

    /** Returns a record of this class from records or maps with components of the same names. */
    Object into(List<?> elements, String place) {
        List<Object> parts = new ArrayList<>();
        for (RecordComponent component : components) {
            parts.add(part(component, column(elements, component.getName(), place), child(place, component.getName())));
        }
        return create(parts);
    }

    private Object part(RecordComponent component, List<Object> values, String place) {
        Class<?> wanted = component.getType();
        if (wanted == List.class) {
            return values;
        }
        Object part = wanted.isRecord() ? of(wanted).into(values, place) : CollatedValues.of(values, place);
        if (!wanted.isInstance(part)) {
            throw CollatedValues.problem(
                    place,
                    "a batch has a " + name(part) + " here, and " + type.getSimpleName() + " holds a "
                            + wanted.getSimpleName());
        }
        return part;
    }

    private List<Object> column(List<?> elements, String name, String place) {
        List<Object> column = new ArrayList<>();
        for (Object element : elements) {
            Map<String, ?> parts = parts(element, place);
            if (!parts.containsKey(name)) {
                throw CollatedValues.problem(
                        place, type.getSimpleName() + " needs " + name + ", the elements have " + parts.keySet());
            }
            column.add(parts.get(name));
        }
        return column;
    }

    private static Map<String, ?> parts(Object element, String place) {
        return switch (element) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .filter(entry -> entry.getValue() != null)
                        .collect(Collectors.toMap(entry -> entry.getKey().toString(), Map.Entry::getValue));
            case Record record -> {
                Map<String, Object> parts = new LinkedHashMap<>();
                for (RecordComponent component : of(record.getClass()).components) {
                    parts.put(component.getName(), read(record, component));
                }
                yield parts;
            }
            default ->
                throw CollatedValues.problem(
                        place, "records and maps have components, got " + name(element) + "; give another function");
        };
    }

    private static List<Object> column(List<?> records, RecordComponent component) {
        List<Object> column = new ArrayList<>();
        records.forEach(record -> column.add(read(record, component)));
        return column;
    }

    private static Object read(Object record, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            accessor.trySetAccessible();
            return accessor.invoke(record);
        } catch (IllegalAccessException failure) {
            throw inaccessible(record.getClass());
        } catch (InvocationTargetException failure) {
            throw rethrown(failure);
        }
    }

    private Object create(List<Object> parts) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.trySetAccessible();
            return constructor.newInstance(parts.toArray());
        } catch (InvocationTargetException failure) {
            throw rethrown(failure);
        } catch (IllegalAccessException failure) {
            throw inaccessible(type);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RuntimeException inaccessible(Class<?> type) {
        return CollatedValues.problem(
                "",
                type.getName() + " is in a module that does not open its package; add opens " + type.getPackageName()
                        + " to dev.outpost, or give a collate function");
    }

    private static RuntimeException rethrown(InvocationTargetException failure) {
        return switch (failure.getCause()) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> new IllegalStateException(failure.getCause());
        };
    }

    private static String child(String place, String name) {
        return place.isEmpty() ? name : place + "." + name;
    }

    private static String name(Object value) {
        return value instanceof HostTensor ? "HostTensor" : value.getClass().getSimpleName();
    }
}
