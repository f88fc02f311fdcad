package dev.outpost.client;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.LongAdder;

/** The JVM's garbage collector, as a session asks for it. */
final class Collector {
    /** A thread of the JVM brings what was found to its queues; where processors are busy it may have to wait for its turn. */
    private static final long PATIENCE_MILLIS = 200;

    /** What part of the time may go into it. */
    private static final int SMALL_PART = 8;

    private final LongAdder collectingNanos = new LongAdder();
    private long judgedNanos = System.nanoTime();

    /** Has it look, and waits until its finds are on their way: until one is there that is sure to be among them. */
    void run() {
        long begin = System.nanoTime();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<Object> probe = new PhantomReference<>(new Object(), queue);
        System.gc();
        try {
            queue.remove(PATIENCE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Reference.reachabilityFence(probe);
        collectingNanos.add(System.nanoTime() - begin);
    }

    /** Whether that took more than a small part of the time since this was last asked. */
    synchronized boolean isOften() {
        long now = System.nanoTime();
        boolean isOften = collectingNanos.sumThenReset() > (now - judgedNanos) / SMALL_PART;
        judgedNanos = now;
        return isOften;
    }
}
