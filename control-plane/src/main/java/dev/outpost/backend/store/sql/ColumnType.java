package dev.outpost.backend.store.sql;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;

/** Reads a column as a Java value. NULL is null, or zero and false for primitive types. */
@FunctionalInterface
public interface ColumnType {
    Object read(ResultSet row, int index) throws SQLException;

    Map<Type, ColumnType> KNOWN = Map.ofEntries(
            Map.entry(String.class, ResultSet::getString),
            Map.entry(boolean.class, ResultSet::getBoolean),
            Map.entry(int.class, ResultSet::getInt),
            Map.entry(long.class, ResultSet::getLong),
            Map.entry(double.class, ResultSet::getDouble),
            Map.entry(Boolean.class, nullable(ResultSet::getBoolean)),
            Map.entry(Integer.class, nullable(ResultSet::getInt)),
            Map.entry(Long.class, nullable(ResultSet::getLong)),
            Map.entry(BigDecimal.class, ResultSet::getBigDecimal),
            Map.entry(byte[].class, ResultSet::getBytes),
            Map.entry(UUID.class, (row, index) -> row.getObject(index, UUID.class)),
            Map.entry(LocalDate.class, (row, index) -> row.getObject(index, LocalDate.class)),
            Map.entry(
                    Instant.class,
                    of((row, index) -> row.getObject(index, OffsetDateTime.class), OffsetDateTime::toInstant)),
            Map.entry(Duration.class, of(nullable(ResultSet::getLong), Duration::ofMillis)),
            Map.entry(OptionalInt.class, (row, index) -> {
                int value = row.getInt(index);
                return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
            }),
            Map.entry(OptionalLong.class, (row, index) -> {
                long value = row.getLong(index);
                return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
            }));

    /** Returns the reader of a type; empty if no column has values of the type. */
    static Optional<ColumnType> of(Type type) {
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic.getRawType(), generic.getActualTypeArguments());
        }
        return type instanceof Class<?> constant && constant.isEnum()
                ? Optional.of(of(ResultSet::getString, text -> constant(constant, (String) text)))
                : Optional.ofNullable(KNOWN.get(type));
    }

    private static Optional<ColumnType> ofGeneric(Type raw, Type... arguments) {
        if (raw == Optional.class) {
            return of(arguments[0]).map(column -> (row, index) -> Optional.ofNullable(column.read(row, index)));
        }
        if (raw == List.class && arguments[0] instanceof Class<?> element && !element.isRecord()) {
            return Optional.of(
                    (row, index) -> list((Object[]) row.getArray(index).getArray(), element));
        }
        return raw == Map.class
                ? Optional.of((row, index) -> JsonColumns.readTexts(row.getString(index)))
                : Optional.empty();
    }

    private static List<Object> list(Object[] values, Class<?> element) {
        return element.isEnum()
                ? Arrays.stream(values)
                        .<Object>map(name -> constant(element, (String) name))
                        .toList()
                : List.of(values);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object constant(Class<?> type, String name) {
        return Enum.valueOf((Class<? extends Enum>) type, name);
    }

    private static ColumnType nullable(ColumnType primitive) {
        return (row, index) -> {
            Object value = primitive.read(row, index);
            return row.wasNull() ? null : value;
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> ColumnType of(ColumnType column, Function<T, Object> then) {
        return (row, index) -> {
            Object value = column.read(row, index);
            return value == null ? null : then.apply((T) value);
        };
    }
}
