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
 * The machines that a program has, and those that are still starting. When the JVM ends, the registry releases all of them at once, within
 * a time limit.
 */
public final class ShutdownRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownRegistry.class);

    /** One registry for all sessions of the JVM, because the end of the JVM ends all of them. */
    private static final ShutdownRegistry OF_THIS_JVM = new ShutdownRegistry(
            Duration.ofSeconds(10),
            action -> Runtime.getRuntime().addShutdownHook(new Thread(action, "outpost-shutdown")));

    /** Releases a machine, and returns when that is done. Does nothing if it was released already. */
    @FunctionalInterface
    public interface Holding {
        void closeEarly();
    }

    private final Duration timeout;
    private final Consumer<Runnable> atTheEnd;
    private final AtomicBoolean watching = new AtomicBoolean();
    private final Set<Holding> open = ConcurrentHashMap.newKeySet();

    /** @param atTheEnd registers an action that runs when the JVM ends */
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
