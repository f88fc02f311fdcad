package dev.outpost.runtime.cuda.engine;

import dev.outpost.runtime.cuda.device.Gpu;
import java.util.Locale;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the marks of one queue in their order and reports when each is past. It uses a separate thread without
 * the engine's lock, so other threads do not wait for the device.
 */
final class QueueWaiter {
    private static final Logger LOG = LoggerFactory.getLogger(QueueWaiter.class);

    /** Waits for a mark. Throws if the device fails. */
    interface Wait {
        void reach(Gpu.Mark mark);
    }

    /** @param past receives the failure or null; must not wait */
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
     * Runs an action when the mark is past or the device has failed. Called under the engine's lock, in the order of the marks.
     *
     * @param past receives the failure, or null
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

    /** Reports to one action. Its failure must not keep other actions from running. */
    private static void report(Awaited awaited, RuntimeException failure) {
        try {
            awaited.past.accept(failure);
        } catch (RuntimeException | Error exception) {
            LOG.error("a task that waited for a device failed", exception);
        }
    }

    /** Waits until all actions have run; none may be added afterwards. Not called under the engine's lock. */
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
