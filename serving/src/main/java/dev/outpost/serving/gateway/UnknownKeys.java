package dev.outpost.serving.gateway;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many keys that the backend does not know each address may show. The backend is asked about each such key by the gateway's own key, so
 * without a bound one client could use up the gateway's rate. Thread-safe.
 */
public final class UnknownKeys {
    private static final int MOST_ADDRESSES = 10_000;
    private static final int BURST = 20;
    private static final double PER_SECOND = 0.5;

    /** Of all addresses together. */
    private static final int BURST_OF_ALL = 200;

    private static final double PER_SECOND_OF_ALL = 20;
    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private final Map<String, Bucket> addresses = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };
    private Bucket all;

    /** @param nanos a monotonic clock */
    UnknownKeys(LongSupplier nanos) {
        this.nanos = nanos;
        this.all = new Bucket(BURST_OF_ALL, nanos.getAsLong());
    }

    private record Bucket(double tokens, long at) {
        Bucket filled(long now, double perSecond, int burst) {
            return new Bucket(Math.min(burst, tokens + (now - at) / NANOS * perSecond), now);
        }

        Bucket taken() {
            return new Bucket(tokens - 1, at);
        }

        int secondsToOne(double perSecond) {
            return (int) Math.ceil((1 - tokens) / perSecond);
        }
    }

    /** Requests with keys that are not known to be good are refused for a time. */
    public static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int seconds;

        TooManyException(String message, int seconds) {
            super(message);
            this.seconds = seconds;
        }

        /** When it is worth to ask again. */
        public int seconds() {
            return seconds;
        }
    }

    /** @throws TooManyException where a key of that address is not asked about now */
    synchronized void require(String address) {
        Bucket own = own(address);
        all = all.filled(nanos.getAsLong(), PER_SECOND_OF_ALL, BURST_OF_ALL);
        if (own.tokens() < 1) {
            throw new TooManyException(
                    "too many unknown API keys came from this address", own.secondsToOne(PER_SECOND));
        }
        if (all.tokens() < 1) {
            throw new TooManyException("too many unknown API keys were shown", all.secondsToOne(PER_SECOND_OF_ALL));
        }
    }

    /** The address has shown a key that is none. */
    synchronized void count(String address) {
        addresses.put(address, own(address).taken());
        all = all.filled(nanos.getAsLong(), PER_SECOND_OF_ALL, BURST_OF_ALL).taken();
    }

    private Bucket own(String address) {
        long now = nanos.getAsLong();
        return addresses.getOrDefault(address, new Bucket(BURST, now)).filled(now, PER_SECOND, BURST);
    }
}
