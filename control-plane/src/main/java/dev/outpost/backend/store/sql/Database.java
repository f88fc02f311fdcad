package dev.outpost.backend.store.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/** Runs transactions. A transaction is short: nothing outside of the database is called while it is open. */
public final class Database {
    /**
     * The SQL states after which a transaction is repeated: serialization failure, deadlock, and a statement that was
     * prepared before another replica migrated the schema. In the last case PostgreSQL answers "cached plan must not
     * change result type" (0A000), and the driver prepares all statements of the connection again.
     */
    private static final Set<String> WORTH_ANOTHER_TRY = Set.of("40001", "40P01", "0A000");

    private static final int ATTEMPTS = 5;

    private final DataSource source;
    private final LongAdder statements = new LongAdder();

    public Database(DataSource source) {
        this.source = source;
    }

    /** Runs the work in one transaction, and repeats it after a conflict with another transaction or a migration. */
    public <T> T transact(Function<Sql, T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SqlException failure) {
                if (attempt == ATTEMPTS || !WORTH_ANOTHER_TRY.contains(failure.state())) {
                    throw failure;
                }
            }
        }
    }

    /** Reads one consistent state of the database with several statements. */
    public <T> T read(Function<Sql, T> work) {
        return transact(sql -> {
            sql.update("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            return work.apply(sql);
        });
    }

    /** Returns the number of statements sent since the start. */
    public long statements() {
        return statements.sum();
    }

    public void run(Consumer<Sql> work) {
        transact(sql -> {
            work.accept(sql);
            return null;
        });
    }

    private <T> T once(Function<Sql, T> work) {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Sql sql = new Sql(connection, statements);
                T answer = work.apply(sql);
                sql.storePending();
                connection.commit();
                return answer;
            } catch (RuntimeException | Error failure) {
                connection.rollback();
                throw failure;
            }
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }
}
