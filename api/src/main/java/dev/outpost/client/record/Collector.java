package dev.outpost.client.record;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** The JVM's garbage collector, as a session asks for it. */
final class Collector {
    /** A thread of the JVM brings what was found to its queues; where processors are busy it may have to wait for its turn. */
    private static final long TIMEOUT_MILLIS = 200;

    /** One part in so many of the time may go into it. */
    private static final int SMALL_PART = 8;

    private final Runnable look;
    private final LongSupplier nanos;
    private final LongAdder collectingNanos = new LongAdder();
    private long judgedNanos;

    Collector() {
        this(Collector::lookForGarbage, System::nanoTime);
    }

    /** Another's look, by another clock. */
    Collector(Runnable look, LongSupplier nanos) {
        this.look = look;
        this.nanos = nanos;
        judgedNanos = nanos.getAsLong();
    }

    /** Has it look, and waits until its finds are on their way. */
    void run() {
        long begin = nanos.getAsLong();
        look.run();
        collectingNanos.add(nanos.getAsLong() - begin);
    }

    /** Until one is there that is sure to be among them. */
    private static void lookForGarbage() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<Object> probe = new PhantomReference<>(new Object(), queue);
        System.gc();
        try {
            queue.remove(TIMEOUT_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Reference.reachabilityFence(probe);
    }

    /** Whether that took more than a small part of the time since this was last asked. */
    synchronized boolean checkOftenAndReset() {
        long now = nanos.getAsLong();
        boolean isOften = collectingNanos.sumThenReset() > (now - judgedNanos) / SMALL_PART;
        judgedNanos = now;
        return isOften;
    }
}
