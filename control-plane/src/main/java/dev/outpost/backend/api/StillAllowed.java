package dev.outpost.backend.api;

import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.KeyRows.Scope;
import java.util.function.BooleanSupplier;

/**
 * Tells a long answer, such as a stream of events, whether the key that asked for it still allows it. It reads the key once a second
 * at most. For one thread at a time.
 */
public final class StillAllowed implements BooleanSupplier {
    private static final long FRESH_NANOS = 1_000_000_000;

    private final Database database;
    private final String key;
    private final Scope scope;
    private long read = System.nanoTime();
    private boolean isAllowed = true;

    /** Of a key that has just been let in. */
    public StillAllowed(Database database, Caller caller, Scope scope) {
        this.database = database;
        this.key = caller.keyId();
        this.scope = scope;
    }

    @Override
    public boolean getAsBoolean() {
        if (isAllowed && System.nanoTime() - read > FRESH_NANOS) {
            isAllowed = database.transact(sql -> KeyRows.find(sql, key))
                    .flatMap(KeyRows.Found::effective)
                    .filter(found -> found.scopes().contains(scope))
                    .isPresent();
            read = System.nanoTime();
        }
        return isAllowed;
    }
}
