package dev.outpost.client;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** The JVM's garbage collector, when it is asked for. */
final class Collector {
    /** A thread of the JVM brings what was found to its queues; where processors are busy it may have to wait for its turn. */
    private static final long PATIENCE_MILLIS = 200;

    private Collector() {}

    /** Has it look, and waits until its finds are on their way: until one is there that is sure to be among them. */
    static void run() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<Object> probe = new PhantomReference<>(new Object(), queue);
        System.gc();
        try {
            queue.remove(PATIENCE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Reference.reachabilityFence(probe);
    }
}
