package dev.outpost.backend.store;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Statements of one transaction. */
public final class Sql {
    private final Connection connection;
    private final LongAdder statements;
    private final QuotaCounts counts = new QuotaCounts();

    /** @param statements counts those that are sent */
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

        /** Null if there is none. */
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

    public <T> Optional<T> one(String statement, RowReader<T> reader, Object... values) {
        return query(statement, reader, values).stream().findFirst();
    }

    /** The number of rows that it changed. */
    public int update(String statement, Object... values) {
        try (PreparedStatement prepared = prepare(statement, values)) {
            return prepared.executeUpdate();
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    /**
     * Has the statements of this transaction planned for their values, those of foreign keys among them. A plan for any value of a column
     * that has few would read a whole table to find that a row is not referred to.
     */
    void planForValues() {
        update("SET LOCAL plan_cache_mode = force_custom_plan");
    }

    /** The counters of quotas that this transaction changes before it ends. */
    QuotaCounts counts() {
        return counts;
    }

    /** The backend's time. */
    public Instant now() {
        return one("SELECT outpost_now() AS now", row -> row.time("now")).orElseThrow();
    }

    /** Copies whole tables within this transaction. */
    CopyManager copies() {
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
            for (int i = 0; i < values.length; i++) {
                set(prepared, i + 1, values[i]);
            }
            return prepared;
        } catch (SQLException | RuntimeException failure) {
            prepared.close();
            throw failure;
        }
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
            default -> prepared.setObject(place, value);
        }
    }

    private void setList(PreparedStatement prepared, int place, List<?> list) throws SQLException {
        boolean isTexts = list.stream().allMatch(String.class::isInstance);
        prepared.setArray(place, connection.createArrayOf(isTexts ? "text" : "uuid", list.toArray()));
    }
}
