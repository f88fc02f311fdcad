package dev.outpost.runtime.session;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Buffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A buffer with an owner count, since views share memory. Begins with one owner; the last to leave gives it back. */
final class Storage {
    private final Buffer buffer;
    private final long bytes;
    private final Engine engine;
    private final Quota quota;
    private final AtomicInteger owners = new AtomicInteger(1);

    Storage(Buffer buffer, long bytes, Engine engine, Quota quota) {
        this.buffer = buffer;
        this.bytes = bytes;
        this.engine = engine;
        this.quota = quota;
    }

    Buffer buffer() {
        return buffer;
    }

    long bytes() {
        return bytes;
    }

    /** How many owners it has now. */
    int owners() {
        return owners.get();
    }

    /** Whether it has one owner. Only who that is can know that it stays so. */
    boolean isSole() {
        return owners.get() == 1;
    }

    Storage retain() {
        owners.incrementAndGet();
        return this;
    }

    void release() {
        int left = owners.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("a storage was released more often than it was retained");
        }
        if (left == 0) {
            engine.release(buffer);
            quota.giveBack(bytes);
        }
    }
}
