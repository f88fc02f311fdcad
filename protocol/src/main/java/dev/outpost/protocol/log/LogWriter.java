package dev.outpost.protocol.log;

import java.io.PrintWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Writes lines to a file in the order in which they were added, on a separate thread that runs while there are lines.
 * Thread-safe.
 */
final class LogWriter {
    /** The number of waiting lines at which the adding thread writes lines itself. */
    static final int MAX_WAITING = 10_000;

    private final PrintWriter out;
    private final Queue<Supplier<String>> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Held while lines are written, so that they keep their order. */
    private final ReentrantLock writing = new ReentrantLock();

    LogWriter(PrintWriter out) {
        this.out = out;
    }

    /** Adds a line. Does not write it unless {@link #MAX_WAITING} lines wait. */
    void add(Supplier<String> line) {
        lines.add(line);
        int count = waiting.incrementAndGet();
        if (count == 1) {
            Thread.ofVirtual().name("outpost-log").start(this::writeAll);
        } else if (count > MAX_WAITING) {
            writeAll();
        }
    }

    private void writeAll() {
        writing.lock();
        try {
            for (Supplier<String> line = lines.poll(); line != null; line = lines.poll()) {
                waiting.decrementAndGet();
                out.println(line.get());
            }
        } finally {
            writing.unlock();
        }
    }

    /** Writes all lines that were added before. */
    void flush() {
        writeAll();
        out.flush();
    }

    void close() {
        writeAll();
        out.close();
    }
}
