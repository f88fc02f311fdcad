package dev.outpost.backend.store.sql;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Maps the components of a record to columns. The column of {@code createdBy} is {@code created_by}. A column may also have one of the
 * suffixes {@code _at} and {@code _id}, or lack a first word such as {@code is}. A component that is a record has columns of the same row.
 * An optional record is present if its first column is not NULL. Each component has exactly one column, and no column has two components.
 */
public final class RecordShape {
    private static final Map<Key, RecordShape> READ = new ConcurrentHashMap<>();
    private static final Map<Class<?>, Map<String, List<Method>>> WRITTEN = new ConcurrentHashMap<>();

    private static final ClassValue<List<Method>> ACCESSORS = new ClassValue<>() {
        @Override
        protected List<Method> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents())
                    .map(RecordShape::accessor)
                    .toList();
        }
    };

    private final Constructor<?> constructor;
    private final List<Part> parts;

    private record Key(Class<?> type, List<String> columns) {}

    /** Reads the value of a component. */
    private interface Part {
        Object read(ResultSet row) throws SQLException;
    }

    /** Reads a value from the present row of a result. */
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** @param taken the columns of other components of the outermost record, to which those of this record are added */
    private RecordShape(Class<?> type, List<String> columns, Set<Integer> taken) {
        this.constructor = constructor(type);
        this.parts = Arrays.stream(type.getRecordComponents())
                .map(component -> part(component, columns, taken))
                .toList();
    }

    private static Constructor<?> constructor(Class<?> type) {
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            return canonical;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // ---- reading

    /** Returns a reader of a result's rows as values of a type. A type that is no record is read from the first column. */
    static <T> Reader<T> reader(Class<T> type, ResultSet result) throws SQLException {
        if (!type.isRecord()) {
            ColumnType column = ColumnType.of(type).orElseThrow();
            return row -> cast(column.read(row, 1));
        }
        ResultSetMetaData metadata = result.getMetaData();
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            columns.add(metadata.getColumnLabel(i));
        }
        RecordShape shape = of(type, columns);
        return row -> cast(shape.read(row));
    }

    private static RecordShape of(Class<?> type, List<String> columns) {
        Key key = new Key(type, columns);
        RecordShape known = READ.get(key);
        return known == null
                ? READ.computeIfAbsent(key, absent -> new RecordShape(type, columns, new HashSet<>()))
                : known;
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }

    private Object read(ResultSet row) throws SQLException {
        Object[] values = new Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).read(row);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException failure) {
            throw cause(failure);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Throws the exception of the called code unchanged, an {@link Error} too, because the process must end if it has
     * no memory.
     */
    private static RuntimeException cause(InvocationTargetException failure) {
        return switch (failure.getCause()) {
            case RuntimeException refused -> refused;
            case Error error -> throw error;
            default -> new IllegalStateException(failure.getCause());
        };
    }

    private static Part part(RecordComponent component, List<String> columns, Set<Integer> taken) {
        Optional<ColumnType> type = ColumnType.of(component.getGenericType());
        if (type.isPresent()) {
            int index = index(component, columns);
            if (!taken.add(index)) {
                throw new IllegalStateException(
                        name(component) + ": another component has the column " + columns.get(index - 1));
            }
            return row -> type.get().read(row, index);
        }
        Class<?> nested = nested(component)
                .orElseThrow(() -> new IllegalStateException(name(component) + ": no column has such a value"));
        // Makes the shapes of nested records instead of looking them up: a map must not change while it computes a
        // value.
        RecordShape shape = new RecordShape(nested, columns, taken);
        if (component.getType() != Optional.class) {
            return shape::read;
        }
        int first = index(nested.getRecordComponents()[0], columns);
        return row -> row.getObject(first) == null ? Optional.empty() : Optional.of(shape.read(row));
    }

    /** Returns the record type of a component, or of its optional value. */
    private static Optional<Class<?>> nested(RecordComponent component) {
        Type type = component.getType() == Optional.class
                ? ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                : component.getType();
        return type instanceof Class<?> nested && nested.isRecord() ? Optional.of(nested) : Optional.empty();
    }

    /**
     * Returns the index of the component's column. Refuses a result with two possible columns, because the wrong one
     * could be read.
     */
    private static int index(RecordComponent component, List<String> columns) {
        List<String> names = names(component);
        int[] found = IntStream.rangeClosed(1, columns.size())
                .filter(index -> names.contains(columns.get(index - 1)))
                .toArray();
        if (found.length != 1) {
            throw new IllegalStateException(
                    name(component) + ": expected one column of " + names + " among " + columns);
        }
        return found[0];
    }

    private static String name(RecordComponent component) {
        return component.getDeclaringRecord().getName() + "." + component.getName();
    }

    /** Returns the names that the column of a component may have. */
    private static List<String> names(RecordComponent component) {
        String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
        String withoutFirst = name.replaceFirst("^(is|has|allows)_", "");
        return Stream.of(name, name + "_at", name + "_id", withoutFirst)
                .distinct()
                .toList();
    }

    // ---- writing

    static Object value(Record row, String column) {
        List<Method> path = WRITTEN.computeIfAbsent(row.getClass(), type -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        column,
                        name -> path(row.getClass(), name)
                                .orElseThrow(() ->
                                        new IllegalStateException(row.getClass().getName() + " has no " + name)));
        Object value = row;
        for (Method accessor : path) {
            value = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (value == null) {
                return null;
            }
            value = read(accessor, value);
        }
        return value;
    }

    static Object[] values(Record row) {
        return ACCESSORS.get(row.getClass()).stream()
                .map(accessor -> read(accessor, row))
                .toArray();
    }

    private static Method accessor(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        return accessor;
    }

    private static Object read(Method accessor, Object row) {
        try {
            return accessor.invoke(row);
        } catch (InvocationTargetException failure) {
            throw cause(failure);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Returns the components that lead from a record to the value of a column. Components of the record itself come before components of
     * nested records. If two components have the same rank, the record is refused.
     */
    private static Optional<List<Method>> path(Class<?> type, String column) {
        List<List<Method>> found = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (ColumnType.of(component.getGenericType()).isPresent()
                    && names(component).contains(column)) {
                found.add(List.of(accessor(component)));
            }
        }
        if (found.isEmpty()) {
            for (RecordComponent component : type.getRecordComponents()) {
                nested(component)
                        .flatMap(other -> path(other, column))
                        .ifPresent(rest -> found.add(Stream.concat(Stream.of(accessor(component)), rest.stream())
                                .toList()));
            }
        }
        if (found.size() > 1) {
            throw new IllegalStateException(type.getName() + ": several components have the column " + column);
        }
        return found.stream().findFirst();
    }
}
