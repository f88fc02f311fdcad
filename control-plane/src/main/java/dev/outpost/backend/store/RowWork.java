package dev.outpost.backend.store;

import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.sql.SqlException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The work of one loop on rows. A failing row is paused, for a longer time after each failure, and recorded in {@link RowFailures}. The
 * loop continues with the others. Thread-safe.
 */
public final class RowWork {
    private static final Logger LOG = Logger.getLogger(RowWork.class);

    private final Database database;
    private final String loop;

    /** Rows that failed in this process and have not succeeded since. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /** @param loop its name in {@link RowFailures}; a constant, since statements contain it */
    public RowWork(Database database, String loop) {
        this.database = database;
        this.loop = loop;
    }

    /**
     * Works on rows until none is due, each in a transaction.
     *
     * @param claim locks a due row that is not paused ({@link RowFailures#notPaused}), and reads only its key, so that an unreadable row
     * does not hide the others
     * @param name the name of a row for {@link RowFailures}
     */
    public <K> void drain(Function<Sql, Optional<K>> claim, Function<K, String> name, BiConsumer<Sql, K> work) {
        boolean isMore = true;
        while (isMore) {
            isMore = next(claim, name, work);
        }
    }

    private <K> boolean next(Function<Sql, Optional<K>> claim, Function<K, String> name, BiConsumer<Sql, K> work) {
        Current<K> current = new Current<>();
        return attempt(
                () -> current.key.map(name),
                () -> database.transact(sql -> {
                    current.key = Optional.empty();
                    current.key = claim.apply(sql);
                    current.key.ifPresent(key -> work.accept(sql, key));
                    return current.key.isPresent();
                }),
                pause -> true);
    }

    private static final class Current<K> {
        private Optional<K> key = Optional.empty();
    }

    /** Works on each of these rows that is not paused. The work opens its own transactions. */
    public <K> void each(Collection<K> rows, Function<K, String> name, Consumer<K> work) {
        Set<String> paused = failing.isEmpty() ? Set.of() : database.transact(sql -> RowFailures.paused(sql, loop));
        for (K row : rows) {
            if (!paused.contains(name.apply(row))) {
                attempt(() -> Optional.of(name.apply(row)), () -> accept(work, row), pause -> false);
            }
        }
    }

    private static <K> boolean accept(Consumer<K> work, K row) {
        work.accept(row);
        return true;
    }

    /**
     * Works on a row, whose name must be known at the latest when the work fails.
     *
     * @param otherwise makes the answer after a failure, from the pause of the row
     * @throws RuntimeException if it failed before a row was found, or because the database is unreachable or full
     */
    public <T> T attempt(Supplier<Optional<String>> row, Supplier<T> work, Function<Duration, T> otherwise) {
        try {
            T answer = work.get();
            row.get().ifPresent(this::succeeded);
            return answer;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError failure) {
            Optional<String> name = row.get();
            if (name.isEmpty() || failure instanceof SqlException away && away.isUnavailable()) {
                throw failure;
            }
            return otherwise.apply(failed(name.get(), failure));
        }
    }

    /** Records that a row failed, and returns its pause. */
    public Duration failed(String row, Throwable failed) {
        failing.add(row);
        Duration pause = database.transact(sql -> RowFailures.note(sql, loop, row, String.valueOf(failed)));
        LOG.warnf("%s: row %s failed and is tried again in %s: %s", loop, row, pause, failed);
        LOG.debug(loop, failed);
        return pause;
    }

    private void succeeded(String row) {
        if (failing.remove(row)) {
            database.run(sql -> RowFailures.forget(sql, loop, row));
        }
    }
}
