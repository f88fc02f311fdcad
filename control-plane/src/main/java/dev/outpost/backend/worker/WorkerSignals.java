package dev.outpost.backend.worker;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the threads of this replica that wait for a change on a worker host. They find changes by other replicas at their next query, so
 * this only saves time. Thread-safe.
 */
public final class WorkerSignals {
    private final Map<String, Set<Waiter>> waiters = new ConcurrentHashMap<>();

    /** Wakes the waiters of a host, after its desired machines or its reports have changed. */
    public void changed(String cluster) {
        waiters.getOrDefault(cluster, Set.of()).forEach(waiter -> waiter.news.release());
    }

    /** Registers a waiter that counts changes from now on. */
    public Waiter waiter(String cluster) {
        Waiter waiter = new Waiter(cluster);
        waiters.computeIfAbsent(cluster, name -> ConcurrentHashMap.newKeySet()).add(waiter);
        return waiter;
    }

    /** A reader of rows that waits until they may have changed. */
    public final class Waiter implements AutoCloseable {
        private final String cluster;
        private final Semaphore news = new Semaphore(0);

        private Waiter(String cluster) {
            this.cluster = cluster;
        }

        /** Ends the wait of another thread. An interrupt would also end it, but would break the connection of a running query. */
        void wake() {
            news.release();
        }

        /**
         * Waits for a change since the last wait, at most for {@code millis}. Returns false if the thread was
         * interrupted.
         */
        public boolean await(long millis) {
            try {
                if (news.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                    news.drainPermits();
                }
                return true;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            waiters.getOrDefault(cluster, Set.of()).remove(this);
        }
    }
}
