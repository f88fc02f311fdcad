package dev.outpost.backend.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.Pool;
import dev.outpost.backend.store.sql.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolRowsTest {
    private final TestDatabase test = TestDatabase.create();
    private final Database database = test.database();

    @AfterEach
    void close() {
        test.close();
    }

    private void makePool(Duration dueIn) {
        database.run(sql -> {
            Instant now = sql.now();
            Pool pool = new Pool(
                    "warm",
                    1,
                    "A100",
                    1,
                    2,
                    Duration.ZERO,
                    Duration.ofMinutes(1),
                    false,
                    0,
                    Optional.empty(),
                    now,
                    "it begins");
            PoolRows.insert(sql, pool, now.plus(dueIn));
        });
    }

    private Optional<String> due() {
        return database.transact(PoolRows::lockDue);
    }

    @Test
    void aPoolThatHasLostAMemberIsDue() {
        makePool(Duration.ofHours(1));
        assertTrue(due().isEmpty());
        database.run(sql -> PoolRows.due(sql, "warm"));
        assertEquals(Optional.of("warm"), due());
    }

    @Test
    void aClaimDoesNotWaitForTheTransactionThatHasThePool() {
        makePool(Duration.ZERO);
        database.run(sql -> {
            assertTrue(PoolRows.lockDue(sql).isPresent());
            database.run(claim -> {
                claim.update("SET LOCAL lock_timeout = '3min'");
                PoolRows.due(claim, "warm");
            });
        });
        makePoolDueLater();
        database.run(sql -> {
            assertTrue(PoolRows.lock(sql, "warm").isPresent());
            database.run(claim -> {
                claim.update("SET LOCAL lock_timeout = '3min'");
                PoolRows.due(claim, "warm");
            });
        });
        assertTrue(due().isEmpty(), "the transaction that has the pool says when it is due");
    }

    private void makePoolDueLater() {
        database.run(sql -> {
            Pool pool = PoolRows.lock(sql, "warm").orElseThrow();
            PoolRows.update(sql, pool, sql.now().plus(Duration.ofHours(1)));
        });
    }
}
