package dev.outpost.runtime.session.memory;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

/** A buffer that counts its owners, because views share memory. It has one owner at first. The last release frees the buffer. */
public final class RefCountedStorage {
    private static final AtomicIntegerFieldUpdater<RefCountedStorage> OTHERS =
            AtomicIntegerFieldUpdater.newUpdater(RefCountedStorage.class, "others");

    private final EngineBuffer buffer;
    private final long bytes;
    private final Engine engine;
    /** Null for memory that sessions share. */
    private volatile SharedQuota.Part quota;
    /**
     * The number of owners besides the first one. The constructor does not assign it, because the assignment would wait until the new
     * memory is cleared.
     */
    private volatile int others;
    /** The storage that contains this one; null if no storage does. */
    private final RefCountedStorage whole;
    /** Runs when the last owner has released memory that sessions share; null for memory of this session alone. */
    private final Runnable whenFree;
    /**
     * The number of owners that will release the storage after the current launch. Used by the worker thread alone.
     */
    private int leaving;
    /** The number of owners that are rematerializations. Only the worker's thread uses it. */
    private int recipes;
    /** Called after each release, in the releasing thread; null if none is set. */
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
     * Creates one session's hold on memory that other sessions may hold too. Such memory is never written, even if
     * this has one owner.
     *
     * @param whenFree called when the last owner has released the memory
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

    /** Returns some of the bytes as elements, as another owner of the memory. */
    public RefCountedStorage part(long firstByte, DType dtype, long elements) {
        return new RefCountedStorage(engine.part(buffer, firstByte, dtype, elements), this);
    }

    public EngineBuffer buffer() {
        return buffer;
    }

    public long bytes() {
        return bytes;
    }

    /** Charges another session for the memory. Memory that several sessions hold is charged elsewhere. */
    public void chargeTo(SharedQuota.Part next) {
        if (whole != null) {
            whole.chargeTo(next);
            return;
        }
        SharedQuota.Part before = quota;
        if (before != null && before != next) {
            next.shift(bytes);
            before.shift(-bytes);
            quota = next;
        }
    }

    /** Returns the number of owners now. */
    public int owners() {
        return others + 1;
    }

    /**
     * Returns true if there is one owner, apart from those that will release the storage after the current launch.
     * Only this owner can rely on the result.
     */
    public boolean isSole() {
        return whenFree == null && owners() - leaving == 1;
    }

    /**
     * Announces that this number of owners will release the storage after the next launch. A negative number
     * withdraws the announcement.
     */
    public void expectsToLose(int count) {
        leaving += count;
    }

    /** Adds rematerializations to the owners. */
    public void expectsRematerializations(int count) {
        recipes += count;
    }

    /** Calls a watcher after each later release, in the releasing thread. */
    public void watch(Consumer<RefCountedStorage> newWatcher) {
        watcher = newWatcher;
    }

    /** Returns true if only rematerializations hold it. */
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
