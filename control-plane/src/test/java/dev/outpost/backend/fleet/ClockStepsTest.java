package dev.outpost.backend.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.backend.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows do not wait longer because the database's clock went back. */
class ClockStepsTest {
    private final TestDatabase database = TestDatabase.create();
    private final ClockSteps steps = new ClockSteps(database.database());

    @AfterEach
    void close() {
        database.close();
    }

    private void failed(String row, int seconds) {
        database.database()
                .run(sql -> sql.update(
                        "INSERT INTO row_failures (loop, row_key, failures, text, since, retry_at) VALUES ('pools', ?, 1,"
                                + " 'it failed', outpost_now(), outpost_now() + ? * interval '1 second')",
                        row,
                        seconds));
    }

    /** The time until a row is worked on again. */
    private Optional<Duration> wait(String row) {
        return database.database().transact(sql -> {
            Instant now = sql.now();
            return sql.one(
                    "SELECT retry_at FROM row_failures WHERE row_key = ?",
                    found -> Duration.between(now, found.time("retry_at")),
                    row);
        });
    }

    @Test
    void rowsWaitAsLongAsTheyWereTo() {
        failed("soon", 30);
        steps.round();
        database.advance(Duration.ofHours(-1));
        steps.round();
        assertEquals(Optional.of(Duration.ofSeconds(30)), wait("soon"));
        steps.round();
        assertEquals(Optional.of(Duration.ofSeconds(30)), wait("soon"), "one step is told of once");
    }

    @Test
    void smallStepsAndStepsAheadChangeNothing() {
        failed("late", 7200);
        steps.round();
        database.advance(Duration.ofSeconds(-9));
        steps.round();
        assertEquals(Optional.of(Duration.ofSeconds(7209)), wait("late"));
        database.advance(Duration.ofHours(1));
        steps.round();
        assertEquals(Optional.of(Duration.ofSeconds(3609)), wait("late"));
        database.advance(Duration.ofHours(-1));
        steps.round();
        assertEquals(Optional.of(Duration.ofSeconds(3609)), wait("late"));
    }
}
