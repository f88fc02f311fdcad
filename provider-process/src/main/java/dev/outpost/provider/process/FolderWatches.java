package dev.outpost.provider.process;

import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.support.FleetChanges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of a fleet. Each looks at the files again and again: a process that is killed changes none, and nobody who is not
 * its parent is told. It looks more often while a machine comes or goes.
 */
final class FolderWatches {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatches.class);
    private static final Duration BUSY = Duration.ofMillis(50);
    private static final Duration QUIET = Duration.ofMillis(500);

    private final Supplier<List<MachineObservation>> list;
    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    FolderWatches(Supplier<List<MachineObservation>> list) {
        this.list = list;
    }

    FleetWatch open(Consumer<MachineObservation> listener) {
        Open watch = new Open(listener);
        open.add(watch);
        watch.thread.start();
        return watch;
    }

    /** Something was changed by this object. */
    void beat() {
        open.forEach(watch -> watch.news.release());
    }

    void close() {
        open.forEach(Open::close);
    }

    /** One watch, with a thread of its own. */
    private final class Open implements FleetWatch {
        private final Consumer<MachineObservation> listener;
        private final Semaphore news = new Semaphore(0);
        private final Thread thread =
                Thread.ofVirtual().name("outpost-fleet-watch").unstarted(this::run);
        private final FleetChanges changes = new FleetChanges(this::report);
        private volatile boolean closed;

        private Open(Consumer<MachineObservation> listener) {
            this.listener = listener;
        }

        private void run() {
            try {
                while (!closed) {
                    poll();
                    if (news.tryAcquire((changes.isBusy() ? BUSY : QUIET).toMillis(), TimeUnit.MILLISECONDS)) {
                        news.drainPermits();
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void poll() {
            try {
                changes.report(list.get());
            } catch (RuntimeException failure) {
                // A failure of a listener counts, too: this thread reports the machines of all organisations.
                LOG.warn("the machines cannot be seen, or not be told of, for now: {}", failure.getMessage());
            }
        }

        private void report(MachineObservation news) {
            if (!closed) {
                listener.accept(news);
            }
        }

        @Override
        public void close() {
            closed = true;
            open.remove(this);
            if (Thread.currentThread() != thread) {
                news.release();
                await();
            }
        }

        private void await() {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException failure) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
