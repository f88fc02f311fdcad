package dev.outpost.runtime.session.memory;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

/** A buffer with an owner count, since views share memory. Begins with one owner; the last to leave gives it back. */
public final class RefCountedStorage {
    private static final AtomicIntegerFieldUpdater<RefCountedStorage> OTHERS =
            AtomicIntegerFieldUpdater.newUpdater(RefCountedStorage.class, "others");

    private final EngineBuffer buffer;
    private final long bytes;
    private final Engine engine;
    private final SharedQuota.Part quota;
    /** Owners beside the first. Nothing is stored in it at first, for that would wait until the new memory is cleared. */
    private volatile int others;
    /** Of which this is a part; null where the memory is its own. */
    private final RefCountedStorage whole;
    /** Null where the memory is the session's own. */
    private final Runnable whenFree;
    /** How many of the owners are as good as gone. The worker's alone. */
    private int leaving;
    /** The number of owners that are rematerializations. Only the worker's thread uses it. */
    private int recipes;
    /** Hears of each owner that leaves, in the thread of that owner; null where nobody wants to know. */
    private volatile Consumer<RefCountedStorage> watcher;

    public RefCountedStorage(EngineBuffer buffer, long bytes, Engine engine, SharedQuota.Part quota) {
        this.buffer = buffer;
        this.bytes = bytes;
        this.engine = engine;
        this.quota = quota;
        this.whole = null;
        this.whenFree = null;
    }

    /**
     * One session's hold on memory that others may hold as well: nobody writes there, however few owners this has.
     *
     * @param whenFree called when the last owner has left
     */
    public static RefCountedStorage shared(EngineBuffer buffer, Engine engine, Runnable whenFree) {
        return new RefCountedStorage(buffer, engine, whenFree);
    }

    private RefCountedStorage(EngineBuffer buffer, Engine engine, Runnable whenFree) {
        this.buffer = buffer;
        this.bytes = buffer.bytes();
        this.engine = engine;
        this.quota = null;
        this.whole = null;
        this.whenFree = whenFree;
    }

    private RefCountedStorage(EngineBuffer buffer, RefCountedStorage whole) {
        this.buffer = buffer;
        this.bytes = buffer.bytes();
        this.engine = whole.engine;
        this.quota = whole.quota;
        this.whole = whole.retain();
        this.whenFree = null;
    }

    /** Some of the bytes, as elements; another owner of the memory. */
    public RefCountedStorage part(long firstByte, DType dtype, long elements) {
        return new RefCountedStorage(engine.part(buffer, firstByte, dtype, elements), this);
    }

    public EngineBuffer buffer() {
        return buffer;
    }

    public long bytes() {
        return bytes;
    }

    /** How many owners it has now. */
    public int owners() {
        return others + 1;
    }

    /** Whether it has one owner. Only who that is can know that it stays so. */
    public boolean isSole() {
        return whenFree == null && owners() - leaving == 1;
    }

    /** One of the owners leaves as soon as what is about to be launched is, or stays after all. */
    public void expectsToLose(int count) {
        leaving += count;
    }

    /** Adds rematerializations to the owners. */
    public void expectsRematerializations(int count) {
        recipes += count;
    }

    /** From here on somebody hears of each owner that leaves, in the thread of that owner. */
    public void watch(Consumer<RefCountedStorage> newWatcher) {
        watcher = newWatcher;
    }

    /** Whether only rematerializations hold it. */
    public boolean isHeldByRematerializations() {
        return recipes > 0 && owners() - leaving == recipes;
    }

    public RefCountedStorage retain() {
        OTHERS.incrementAndGet(this);
        return this;
    }

    public void release() {
        int left = OTHERS.decrementAndGet(this) + 1;
        if (left < 0) {
            throw new IllegalStateException("a storage was released more often than it was retained");
        }
        Consumer<RefCountedStorage> hears = watcher;
        if (hears != null) {
            hears.accept(this);
        }
        if (left == 0 && whole != null) {
            whole.release();
        } else if (left == 0 && whenFree != null) {
            whenFree.run();
        } else if (left == 0) {
            engine.release(buffer);
            quota.release(bytes);
        }
    }
}
