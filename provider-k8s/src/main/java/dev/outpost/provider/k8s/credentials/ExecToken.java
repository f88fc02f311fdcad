package dev.outpost.provider.k8s.credentials;

import dev.outpost.provider.k8s.credentials.ExecPlugin.Credential;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The token of an exec plugin. The plugin runs again if the token has expired, or if the server refuses it. The clock of this host may
 * be wrong, so a token that looks expired is still used for a minute after it was fetched.
 */
final class ExecToken implements TokenSource {
    private static final Duration SHORTEST_USE = Duration.ofMinutes(1);

    private final Supplier<Credential> plugin;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private Credential current;
    private long fetched;

    /**
     * @param plugin prints credentials with a token
     * @param first the credentials of its first run
     * @param nanos a monotonic clock
     */
    ExecToken(Supplier<Credential> plugin, Credential first, InstantSource clock, LongSupplier nanos) {
        this.plugin = plugin;
        this.clock = clock;
        this.nanos = nanos;
        this.current = first;
        this.fetched = nanos.getAsLong();
    }

    @Override
    public String token() {
        lock.lock();
        try {
            if (isExpired()) {
                fetch();
            }
            return text();
        } finally {
            lock.unlock();
        }
    }

    /** Renews a refused token. If several requests are refused at the same time, only the first request runs the plugin. */
    @Override
    public String renewed(String refused) {
        lock.lock();
        try {
            if (text().equals(refused)) {
                fetch();
            }
            return text();
        } finally {
            lock.unlock();
        }
    }

    private boolean isExpired() {
        Instant now = clock.instant();
        boolean isOver = current.expires().filter(end -> !now.isBefore(end)).isPresent();
        return isOver && nanos.getAsLong() - fetched >= SHORTEST_USE.toNanos();
    }

    private void fetch() {
        current = plugin.get();
        fetched = nanos.getAsLong();
    }

    private String text() {
        return current.token().orElse("");
    }
}
