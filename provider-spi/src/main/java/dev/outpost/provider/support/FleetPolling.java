package dev.outpost.provider.support;

import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The open watches of a fleet. Each polls the machines on a separate thread. Thread-safe. */
public final class FleetPolling implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FleetPolling.class.getName());
    /** The time until the next poll after a failed poll. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Function<WakeSignal, Poller> pollers;
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();

    /** Polls for one watch. It is used by one thread at a time, except for {@link #close}. */
    @FunctionalInterface
    public interface Poller {
        /**
         * Lists the machines and reports the changes. Called again even after an exception.
         *
         * @return the time until the next poll, unless the watch is woken earlier
         */
        Duration poll(FleetChanges changes);

        /** Closes the poller with its watch. */
        default void close() {}
    }

    /** @param pollers makes the poller of each watch; the signal wakes the watch */
    public FleetPolling(Function<WakeSignal, Poller> pollers) {
        this.pollers = pollers;
    }

    public FleetWatch open(Consumer<MachineObservation> listener) {
        Watch watch = new Watch(listener);
        open.add(watch);
        watch.thread.start();
        return watch;
    }

    /** Makes all watches poll now. */
    public void wake() {
        open.forEach(watch -> watch.wakeSignal.wake());
    }

    @Override
    public void close() {
        open.forEach(Watch::close);
    }

    private final class Watch implements FleetWatch {
        private final WakeSignal wakeSignal = new WakeSignal();
        private final Poller poller = pollers.apply(wakeSignal);
        private final Thread thread =
                Thread.ofVirtual().name("outpost-fleet-watch").unstarted(this::run);
        private final FleetChanges changes;
        private volatile boolean isClosed;

        private Watch(Consumer<MachineObservation> listener) {
            this.changes = new FleetChanges(observation -> {
                if (!isClosed) {
                    listener.accept(observation);
                }
            });
        }

        private void run() {
            try {
                while (!isClosed) {
                    wakeSignal.await(poll());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Polls. Survives a failure, also of the listener, because this thread reports the machines of all organisations. */
        private Duration poll() {
            try {
                return poller.poll(changes);
            } catch (RuntimeException failure) {
                if (!isClosed) {
                    LOG.log(
                            Level.WARNING,
                            "the machines cannot be observed or reported for now: {0}",
                            failure.getMessage());
                }
                return RETRY;
            }
        }

        /**
         * Ends the watch. After this has returned, the listener is not called any more, unless the listener itself closes the watch.
         */
        @Override
        public void close() {
            isClosed = true;
            open.remove(this);
            poller.close();
            wakeSignal.wake();
            if (Thread.currentThread() != thread) {
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
