package dev.outpost.backend.api;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Limits the number of unknown keys and secrets that an address may show, because each costs a database query. A key
 * that was valid within the last ten minutes is not limited, so guesses from its address, such as that of a proxy, do
 * not block it. Thread-safe.
 */
@Singleton
final class UnknownKeyGuard {
    private static final int PER_SECOND = 10;
    private static final int MAX_VALID = 10_000;
    private static final long FRESH_NANOS = 600_000_000_000L;

    private final LongSupplier nanos;
    private final AddressLimit limit;
    private final Map<String, Long> valid = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_VALID;
        }
    };

    @Inject
    UnknownKeyGuard() {
        this(System::nanoTime);
    }

    /** @param nanos a monotonic clock */
    UnknownKeyGuard(LongSupplier nanos) {
        this.nanos = nanos;
        this.limit = new AddressLimit("unknown keys", PER_SECOND, nanos);
    }

    /**
     * Finds the owner of a key. Throws a {@link Problem} if the address has shown too many unknown keys.
     *
     * @param hash the hash of the key
     * @param query finds the owner in the database; empty for a key that is not valid
     */
    <T> Optional<T> find(String address, byte[] hash, Supplier<Optional<T>> query) {
        String key = HexFormat.of().formatHex(hash);
        boolean isCounted = !wasValid(key);
        if (isCounted) {
            // Counts before the query, so that concurrent requests cannot pass the limit.
            limit.take(address);
        }
        boolean isUnknown = false;
        try {
            Optional<T> found = query.get();
            isUnknown = found.isEmpty();
            note(key, !isUnknown);
            return found;
        } finally {
            if (isCounted && !isUnknown) {
                limit.release(address);
            }
        }
    }

    private synchronized boolean wasValid(String key) {
        Long seen = valid.get(key);
        return seen != null && nanos.getAsLong() - seen < FRESH_NANOS;
    }

    private synchronized void note(String key, boolean isValid) {
        if (isValid) {
            valid.put(key, nanos.getAsLong());
        } else {
            valid.remove(key);
        }
    }
}
