package dev.outpost.client.record;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Runs the JVM's garbage collector for a session, and measures the time that this takes. */
final class Collector {
    /** The longest wait for the JVM's thread that enqueues dead references. If the processors are busy, this thread may be late. */
    private static final long TIMEOUT_MILLIS = 200;

    /** The collector runs too often if it takes more than this fraction of the time: one eighth. */
    private static final int SMALL_PART = 8;

    private final Runnable look;
    private final LongSupplier nanos;
    private final LongAdder collectingNanos = new LongAdder();
    private long judgedNanos;

    Collector() {
        this(Collector::lookForGarbage, System::nanoTime);
    }

    /** For tests: collects by {@code look} and reads the time from {@code nanos}. */
    Collector(Runnable look, LongSupplier nanos) {
        this.look = look;
        this.nanos = nanos;
        judgedNanos = nanos.getAsLong();
    }

    /** Runs the collector, and waits until the JVM enqueues the references that it found dead. */
    void run() {
        long begin = nanos.getAsLong();
        look.run();
        collectingNanos.add(nanos.getAsLong() - begin);
    }

    /** Collects garbage, and waits until the queue has a probe object that is certainly dead. */
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

    /** Returns true if collections took more than a small part of the time since the last call. */
    synchronized boolean checkOftenAndReset() {
        long now = nanos.getAsLong();
        boolean isOften = collectingNanos.sumThenReset() > (now - judgedNanos) / SMALL_PART;
        judgedNanos = now;
        return isOften;
    }
}
