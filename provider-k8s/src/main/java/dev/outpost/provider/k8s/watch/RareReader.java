package dev.outpost.provider.k8s.watch;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reads large data of a cluster, such as all its nodes, at most once in half a minute. Thread-safe. */
final class RareReader<T> {
    private static final long INTERVAL = Duration.ofSeconds(30).toNanos();

    private final Supplier<T> source;
    private final T unread;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private T value;
    private long read;
    private boolean hasRead;

    /**
     * @param source reads the value from the cluster
     * @param unread the value to use if the read fails
     * @param nanos a monotonic clock
     */
    RareReader(Supplier<T> source, T unread, LongSupplier nanos) {
        this.source = source;
        this.unread = unread;
        this.nanos = nanos;
    }

    /**
     * Returns the value, which is at most half a minute old.
     *
     * @throws RuntimeException if the source throws; the value is then {@code unread} until the next read
     */
    T value() {
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (!hasRead || now - read >= INTERVAL) {
                hasRead = true;
                read = now;
                value = unread;
                value = source.get();
            }
            return value;
        } finally {
            lock.unlock();
        }
    }
}
