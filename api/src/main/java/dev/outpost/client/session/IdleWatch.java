package dev.outpost.client.session;

import dev.outpost.types.OutpostException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses a machine that the program has not used for a time. Ends when the machine is closed, or collected. */
public final class IdleWatch {
    /** A machine that may be paused. */
    public interface Machine {
        String name();

        /** Returns counters that change with each use; empty while the machine works, or while it cannot be paused. */
        Optional<Use> use();

        boolean isClosed();

        void pause();
    }

    /** The counters of a machine's use. */
    public record Use(long values, long segments, long waits) {}

    private static final Logger LOG = LoggerFactory.getLogger(IdleWatch.class);
    /** The number of checks within the time. */
    private static final int CHECKS = 8;

    private final WeakReference<Machine> watched;
    private final Duration after;
    private Optional<Use> latest = Optional.empty();
    private long since = System.nanoTime();

    private IdleWatch(Machine machine, Duration after) {
        this.watched = new WeakReference<>(machine);
        this.after = after;
    }

    /** @param machine held weakly, so the caller must hold it as long as the machine is used */
    public static void begin(Machine machine, Duration after) {
        IdleWatch watch = new IdleWatch(machine, after);
        Thread.ofVirtual().name("outpost-idle-" + machine.name()).start(watch::run);
    }

    private void run() {
        try {
            do {
                Thread.sleep(after.dividedBy(CHECKS).plusMillis(1));
            } while (check(watched.get()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false if there is nothing more to watch. */
    private boolean check(Machine machine) {
        if (machine == null || machine.isClosed()) {
            return false;
        }
        Optional<Use> now = machine.use();
        if (now.isEmpty() || !now.equals(latest)) {
            latest = now;
            since = System.nanoTime();
        } else if (System.nanoTime() - since >= after.toNanos()) {
            pause(machine);
            since = System.nanoTime();
        }
        return true;
    }

    private static void pause(Machine machine) {
        try {
            machine.pause();
            LOG.info("{}: paused, because the program did not use it", machine.name());
        } catch (OutpostException failure) {
            if (!machine.isClosed()) {
                LOG.warn(
                        "{}: not paused, although the program does not use it: {}",
                        machine.name(),
                        failure.getMessage());
            }
        }
    }
}
