package dev.outpost.simulated.kubernetes.api;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** The log of a container, line by line, and its readers. */
public final class ContainerLog {
    /** A line with its time, which is later than that of the previous line. */
    public record Line(Instant written, String text) {}

    /** A reader of the log. Must not wait. */
    public interface Reader {
        void line(Line line);

        void end();
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Line> lines = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private boolean ended;

    public void add(String line) {
        lock.lock();
        try {
            Line written = new Line(now(), line);
            lines.add(written);
            readers.forEach(reader -> reader.line(written));
        } finally {
            lock.unlock();
        }
    }

    private Instant now() {
        Instant now = Instant.now();
        Instant next = lines.isEmpty() ? now : lines.getLast().written().plusNanos(1);
        return now.isBefore(next) ? next : now;
    }

    /** Called at the end of the log. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            readers.forEach(Reader::end);
            readers.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The last lines, oldest first. */
    public List<String> tail(int atMax) {
        lock.lock();
        try {
            return last(atMax).map(Line::text).toList();
        } finally {
            lock.unlock();
        }
    }

    private Stream<Line> last(int atMax) {
        return lines.subList(Math.max(0, lines.size() - atMax), lines.size()).stream();
    }

    /** Passes the last lines to a reader, and later lines too if it follows the log. */
    void read(int atMax, boolean follow, Reader reader) {
        lock.lock();
        try {
            last(atMax).forEach(reader::line);
            if (follow && !ended) {
                readers.add(reader);
            } else {
                reader.end();
            }
        } finally {
            lock.unlock();
        }
    }

    void leave(Reader reader) {
        lock.lock();
        try {
            readers.remove(reader);
        } finally {
            lock.unlock();
        }
    }
}
