package dev.outpost.backend.api;

import dev.outpost.backend.identity.BrowserSession;
import dev.outpost.backend.store.KeyRows;
import dev.outpost.backend.store.SessionRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.rest.tenant.KeyScope;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * True while the key of a request, or the session of a browser, still allows its long answer, such as a stream of events. It reads
 * them from the database, once a second at most, so it may block. Not thread-safe.
 */
public final class StillAllowed implements BooleanSupplier {
    /** The time after which the key is read again. */
    public static final Duration FRESH = Duration.ofSeconds(1);

    private final Database database;
    private final String key;
    private final Optional<BrowserSession> session;
    private final KeyScope scope;
    private long read = System.nanoTime();
    private boolean isAllowed = true;

    /** Starts with a key that has just been accepted. */
    public StillAllowed(Database database, Caller caller, KeyScope scope) {
        this.database = database;
        this.key = caller.keyId();
        this.session = caller.session();
        this.scope = scope;
    }

    @Override
    public boolean getAsBoolean() {
        if (isAllowed && System.nanoTime() - read >= FRESH.toNanos()) {
            isAllowed = database.transact(sql -> session.isPresent()
                                    && SessionRows.find(sql, session.get().hash())
                                            .isEmpty()
                            ? Optional.<KeyRows.Found>empty()
                            : KeyRows.find(sql, key))
                    .flatMap(KeyRows.Found::effective)
                    .filter(found -> found.scopes().contains(scope))
                    .isPresent();
            read = System.nanoTime();
        }
        return isAllowed;
    }
}
