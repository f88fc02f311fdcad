package dev.outpost.backend.store.sql;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Statements of one transaction. */
public final class Sql {
    private final Connection connection;
    private final LongAdder statements;
    private final Map<Class<?>, Pending> pending = new HashMap<>();

    /** @param statements counts the sent statements */
    Sql(Connection connection, LongAdder statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /** Reads one row of a result. */
    public interface RowReader<T> {
        T read(Row row) throws SQLException;
    }

    /** One row of a result, by the names of its columns. */
    public record Row(ResultSet result) {
        /** Reads the row as a record, by the names of its columns. */
        public <T> T as(Class<T> type) throws SQLException {
            return RecordShape.reader(type, result).read(result);
        }

        public String text(String column) throws SQLException {
            return result.getString(column);
        }

        public Optional<String> optionalText(String column) throws SQLException {
            return Optional.ofNullable(result.getString(column));
        }

        public long number(String column) throws SQLException {
            return result.getLong(column);
        }

        public int integer(String column) throws SQLException {
            return result.getInt(column);
        }

        public Optional<Long> optionalNumber(String column) throws SQLException {
            long value = result.getLong(column);
            return result.wasNull() ? Optional.empty() : Optional.of(value);
        }

        /** Returns the value of a column; null if it is NULL. */
        public BigDecimal decimal(String column) throws SQLException {
            return result.getBigDecimal(column);
        }

        public boolean flag(String column) throws SQLException {
            return result.getBoolean(column);
        }

        public byte[] bytes(String column) throws SQLException {
            return result.getBytes(column);
        }

        public Instant time(String column) throws SQLException {
            return result.getObject(column, OffsetDateTime.class).toInstant();
        }

        public Optional<Instant> optionalTime(String column) throws SQLException {
            return Optional.ofNullable(result.getObject(column, OffsetDateTime.class))
                    .map(OffsetDateTime::toInstant);
        }

        public <T> T object(String column, Class<T> type) throws SQLException {
            return result.getObject(column, type);
        }

        <T> T object(int column, Class<T> type) throws SQLException {
            return result.getObject(column, type);
        }

        public List<String> texts(String column) throws SQLException {
            return List.of((String[]) result.getArray(column).getArray());
        }
    }

    public <T> List<T> query(String statement, RowReader<T> reader, Object... values) {
        try (PreparedStatement prepared = prepare(statement, values);
                ResultSet result = prepared.executeQuery()) {
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(new Row(result)));
            }
            return rows;
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    /** Reads each row as a record by the names of its columns, or as the value of the first column ({@link RecordShape}). */
    public <T> List<T> query(String statement, Class<T> type, Object... values) {
        try (PreparedStatement prepared = prepare(statement, values);
                ResultSet result = prepared.executeQuery()) {
            RecordShape.Reader<T> reader = RecordShape.reader(type, result);
            List<T> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(reader.read(result));
            }
            return rows;
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    /** Returns the first row; empty if there is none, or if its value is NULL. */
    public <T> Optional<T> one(String statement, Class<T> type, Object... values) {
        List<T> rows = query(statement, type, values);
        return rows.isEmpty() ? Optional.empty() : Optional.ofNullable(rows.getFirst());
    }

    /** Returns a map from the values of the first column to the values of the second. */
    public <K, V> Map<K, V> map(String statement, Class<K> keys, Class<V> others, Object... values) {
        Map<K, V> all = new HashMap<>();
        query(statement, row -> all.put(row.object(1, keys), row.object(2, others)), values);
        return all;
    }

    /** True if the query has a row. */
    public boolean exists(String statement, Object... values) {
        return !query(statement, row -> true, values).isEmpty();
    }

    /** @param then the text after the values, such as {@code ON CONFLICT DO NOTHING} */
    public int insert(String table, Columns columns, String then) {
        return update("INSERT INTO " + table + columns.insertion() + " " + then, columns.values());
    }

    public void insert(String table, Columns columns) {
        insert(table, columns, "");
    }

    /** Returns the first rows of a list, ordered by these columns. */
    public <T> List<T> page(Class<T> type, String select, Filter filter, String order, int limit) {
        return query(select + filter.text() + " ORDER BY " + order + " LIMIT ?", type, filter.values(limit));
    }

    /** Inserts a row, or replaces the row with the same key. */
    public void put(String table, Columns columns, String key) {
        insert(table, columns, columns.orReplace(key));
    }

    /** @param where the text after {@code WHERE}, with placeholders for the last values */
    public int change(String table, Columns columns, String where, Object... values) {
        return update("UPDATE " + table + " SET " + columns.assignments() + " WHERE " + where, columns.values(values));
    }

    public <T> Optional<T> one(String statement, RowReader<T> reader, Object... values) {
        return query(statement, reader, values).stream().findFirst();
    }

    /** Runs a statement, and returns the number of rows that it changed. */
    public int update(String statement, Object... values) {
        try (PreparedStatement prepared = prepare(statement, values)) {
            return prepared.executeUpdate();
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    /**
     * Makes PostgreSQL plan the statements of this transaction for their actual values, including the statements for foreign keys. A
     * generic plan for a column with few distinct values would scan a whole table to find that no row refers to this one.
     */
    public void planForValues() {
        update("SET LOCAL plan_cache_mode = force_custom_plan");
    }

    /** Changes that a transaction collects and stores before its commit. */
    @FunctionalInterface
    public interface Pending {
        void store(Sql sql);
    }

    /** Returns the changes of a type that this transaction has collected. */
    public <P extends Pending> P pending(Class<P> type, Supplier<P> empty) {
        return type.cast(pending.computeIfAbsent(type, added -> empty.get()));
    }

    void storePending() {
        pending.values().forEach(changes -> changes.store(this));
    }

    /** Returns the backend's time. */
    public Instant now() {
        return one("SELECT outpost_now()", Instant.class).orElseThrow();
    }

    /** Returns the manager that copies whole tables within this transaction. */
    public CopyManager copies() {
        try {
            return connection.unwrap(PGConnection.class).getCopyAPI();
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    private PreparedStatement prepare(String statement, Object... values) throws SQLException {
        statements.increment();
        PreparedStatement prepared = connection.prepareStatement(statement);
        try {
            setAll(prepared, 1, values);
            return prepared;
        } catch (SQLException | RuntimeException failure) {
            prepared.close();
            throw failure;
        }
    }

    /**
     * Sets values of placeholders. A record sets a value for each of its components. Returns the index of the next
     * placeholder.
     */
    private int setAll(PreparedStatement prepared, int first, Object... values) throws SQLException {
        int place = first;
        for (Object value : values) {
            if (value instanceof Record row) {
                place = setAll(prepared, place, RecordShape.values(row));
            } else {
                set(prepared, place, value);
                place++;
            }
        }
        return place;
    }

    private void set(PreparedStatement prepared, int place, Object value) throws SQLException {
        switch (value) {
            case null -> prepared.setNull(place, Types.NULL);
            case Optional<?> optional -> set(prepared, place, optional.orElse(null));
            case Instant time -> prepared.setObject(place, time.atOffset(ZoneOffset.UTC));
            case Enum<?> constant -> prepared.setString(place, constant.name());
            case String[] texts -> prepared.setArray(place, connection.createArrayOf("text", texts));
            case Long[] numbers -> prepared.setArray(place, connection.createArrayOf("bigint", numbers));
            case List<?> list -> setList(prepared, place, list);
            case Duration duration -> prepared.setLong(place, duration.toMillis());
            case OptionalLong number when number.isPresent() -> prepared.setLong(place, number.getAsLong());
            case OptionalInt number when number.isPresent() -> prepared.setInt(place, number.getAsInt());
            case OptionalLong absent -> prepared.setNull(place, Types.NULL);
            case OptionalInt absent -> prepared.setNull(place, Types.NULL);
            case Map<?, ?> texts -> prepared.setObject(place, JsonColumns.write(texts), Types.OTHER);
            default -> prepared.setObject(place, value);
        }
    }

    private void setList(PreparedStatement prepared, int place, List<?> list) throws SQLException {
        boolean isIds = !list.isEmpty() && list.getFirst() instanceof UUID;
        Object[] values = list.stream()
                .map(value -> value instanceof Enum<?> constant ? constant.name() : value)
                .toArray();
        prepared.setArray(place, connection.createArrayOf(isIds ? "uuid" : "text", values));
    }
}
