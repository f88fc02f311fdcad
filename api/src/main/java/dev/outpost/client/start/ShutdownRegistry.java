package dev.outpost.client.start;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machines that a program has, and those that are still starting. All that are left when the JVM ends are given
 * back then, at once and within a stated time.
 */
public final class ShutdownRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownRegistry.class);

    /** A JVM ends once, and takes all sessions with it, so there is one of these for all of them. */
    private static final ShutdownRegistry OF_THIS_JVM = new ShutdownRegistry(
            Duration.ofSeconds(10),
            action -> Runtime.getRuntime().addShutdownHook(new Thread(action, "outpost-shutdown")));

    /** Gives something back and returns when that is done; nothing happens where it has been given back. */
    @FunctionalInterface
    public interface Holding {
        void closeEarly();
    }

    private final Duration timeout;
    private final Consumer<Runnable> atTheEnd;
    private final AtomicBoolean watching = new AtomicBoolean();
    private final Set<Holding> open = ConcurrentHashMap.newKeySet();

    /** @param atTheEnd sees to it that something is run when the JVM ends */
    public ShutdownRegistry(Duration timeout, Consumer<Runnable> atTheEnd) {
        this.timeout = timeout;
        this.atTheEnd = atTheEnd;
    }

    public static ShutdownRegistry ofThisJvm() {
        return OF_THIS_JVM;
    }

    public void add(Holding holding) {
        if (watching.compareAndSet(false, true)) {
            atTheEnd.accept(this::releaseAll);
        }
        open.add(holding);
    }

    public void remove(Holding holding) {
        open.remove(holding);
    }

    private void releaseAll() {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<Thread> threads = open.stream()
                .map(holding -> Thread.ofVirtual().name("outpost-let-go").start(holding::closeEarly))
                .toList();
        try {
            for (Thread thread : threads) {
                thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        long late = threads.stream().filter(Thread::isAlive).count();
        if (late > 0) {
            LOG.warn("{} machines were not given back within {}; they end by themselves", late, timeout);
        }
    }
}
