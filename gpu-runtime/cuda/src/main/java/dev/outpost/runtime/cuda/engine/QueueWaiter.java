package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Gpu;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the marks of one queue in their order, on a thread of its own and without the engine's lock, and says so when they are
 * past: so nobody else has to wait for the device.
 */
final class QueueWaiter {
    private static final Logger LOG = LoggerFactory.getLogger(QueueWaiter.class);

    /** Waits for a mark; throws where the device fails. */
    interface Wait {
        void reach(Gpu.Mark mark);
    }

    /** @param past hears of the mark, with the failure or null; must not wait */
    private record Awaited(Gpu.Mark mark, Consumer<RuntimeException> past) {}

    private static final Awaited END = new Awaited(null, _ -> {});

    private final String name;
    private final Wait wait;
    private final LinkedBlockingQueue<Awaited> queue = new LinkedBlockingQueue<>();
    private Thread thread;

    QueueWaiter(Gpu.Queue queue, Wait wait) {
        this.name = "outpost-cuda-" + queue.name().toLowerCase(Locale.ROOT);
        this.wait = wait;
    }

    /**
     * Has an action run when a mark is past, or never will be. Called under the engine's lock, in the order of the marks.
     *
     * @param past is handed the failure, or null
     */
    void add(Gpu.Mark mark, Consumer<RuntimeException> past) {
        if (thread == null) {
            thread = Thread.ofPlatform().name(name).daemon().start(this::run);
        }
        queue.add(new Awaited(mark, past));
    }

    private void run() {
        try {
            for (Awaited next = queue.take(); next != END; next = queue.take()) {
                report(next, failure(next.mark));
            }
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }

    private RuntimeException failure(Gpu.Mark mark) {
        try {
            wait.reach(mark);
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    /** A failure of one waiter must not keep the others waiting. */
    private static void report(Awaited awaited, RuntimeException failure) {
        try {
            awaited.past.accept(failure);
        } catch (RuntimeException | Error exception) {
            LOG.error("what waited for a device failed", exception);
        }
    }

    /** Waits until all have been told of; none may be added any more. Not under the engine's lock. */
    void close() {
        if (thread == null) {
            return;
        }
        queue.add(END);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
