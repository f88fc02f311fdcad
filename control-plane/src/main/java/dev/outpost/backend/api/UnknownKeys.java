package dev.outpost.backend.api;

import jakarta.inject.Singleton;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many keys that are none an address may show. Each costs a look into the database. Keys that were good a moment ago are not held up
 * by others of their address, such as that of a proxy. Thread-safe.
 */
@Singleton
final class UnknownKeys {
    private static final int PER_SECOND = 10;
    private static final int MOST = 10_000;
    private static final long FRESH_NANOS = 600_000_000_000L;

    private final RateLimits rates = new RateLimits(PER_SECOND, System::nanoTime);
    private final Map<String, Long> good = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    /** A {@link Problem} where the address has shown too many keys that are none, and this one may be another. */
    void require(String address, byte[] hash) {
        if (!isGood(hash)) {
            rates.require(address);
        }
    }

    private synchronized boolean isGood(byte[] hash) {
        Long seen = good.get(HexFormat.of().formatHex(hash));
        return seen != null && System.nanoTime() - seen < FRESH_NANOS;
    }

    synchronized void wasGood(byte[] hash) {
        good.put(HexFormat.of().formatHex(hash), System.nanoTime());
    }

    /** The address has shown a key that is none; a {@link Problem} where it was one too many. */
    void count(String address) {
        rates.take(address);
    }
}
