package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** Allocates a session's storages from the engine's memory, within the session's quota. */
public final class SessionMemory {
    /**
     * Bits for the size in the number by which an engine recognizes a session's uploads of one size. These numbers are negative,
     * and the numbers of arenas are positive.
     */
    private static final int UPLOAD_SIZE_BITS = 40;

    private final long session;
    private final Engine engine;
    private final SharedQuota.Part quota;
    private final LimitCounters limitCounters;
    private volatile HeldMemory held = HeldMemory.NONE;

    /** @param session the session's number, by which the engine distinguishes the memory of sessions */
    public SessionMemory(long session, Engine engine, SharedQuota.Part quota, LimitCounters limitCounters) {
        this.session = session;
        this.engine = engine;
        this.quota = quota;
        this.limitCounters = limitCounters;
    }

    /** Sets the memory whose release is awaited before the session lacks memory. */
    public void whenFull(HeldMemory newHeld) {
        held = newHeld;
    }

    /**
     * Returns how many of these bytes are available, according to the session's quota and to the device. Waits for held memory if they are
     * not all available.
     */
    public long available(long bytes) {
        long available = availableNow(bytes);
        while (available < bytes && held.awaitRelease()) {
            available = availableNow(bytes);
        }
        return available;
    }

    private long availableNow(long bytes) {
        long granted = Math.min(bytes, quota.free());
        return granted <= 0 ? 0 : engine.available(granted);
    }

    /** Returns the session's share of the memory quota, to which the bytes of its values are charged. */
    public SharedQuota.Part quota() {
        return quota;
    }

    /** Charges the session these bytes, or fails as {@link #allocate} does. */
    public void reserve(long bytes) {
        if (!quota.reserve(bytes)) {
            throw outOfMemory(bytes, 0);
        }
    }

    /** Works like {@link #reserve}, for the session's part of a shared value. The charges of the other holders were reduced before. */
    public void reserveHeld(long bytes) {
        if (!quota.reserveHeld(bytes)) {
            throw outOfMemory(bytes, 0);
        }
    }

    /** Allocates memory of undefined content. Fails with kind resources, naming the requested and the free bytes. */
    public RefCountedStorage allocate(DType dtype, long elements) {
        return allocate(dtype, elements, Engine.NO_USE);
    }

    /** Works like {@link #allocate(DType, long)}, for a value. */
    public RefCountedStorage allocate(TensorType type) {
        return allocate(type.dtype(), type.shape().elements());
    }

    /** Allocates memory with these elements. Fails as {@link #allocate(DType, long)} does. */
    public RefCountedStorage store(TensorType type, byte[] elements) {
        RefCountedStorage storage = allocate(type);
        engine.write(storage.buffer(), 0, new Slice(elements));
        return storage;
    }

    /**
     * Works like {@link #allocate(DType, long)}, for an upload. The engine places an upload at the address of an earlier upload of the same
     * size.
     */
    public RefCountedStorage allocateUpload(DType dtype, long elements) {
        long use = -1 - (session << UPLOAD_SIZE_BITS ^ bytes(dtype, elements) & (1L << UPLOAD_SIZE_BITS) - 1);
        return allocate(dtype, elements, use);
    }

    /** @param use the parameter of {@link Engine#allocate(DType, long, long, long)} */
    RefCountedStorage allocate(DType dtype, long elements, long use) {
        long bytes = bytes(dtype, elements);
        boolean isReserved = quota.reserve(bytes);
        while (!isReserved && held.awaitRelease()) {
            isReserved = quota.reserve(bytes);
        }
        if (!isReserved) {
            throw outOfMemory(bytes, 0);
        }
        boolean done = false;
        try {
            RefCountedStorage storage =
                    new RefCountedStorage(engine.allocate(dtype, elements, session, use), bytes, engine, quota);
            done = true;
            return storage;
        } finally {
            if (!done) {
                quota.release(bytes);
            }
        }
    }

    /**
     * Fails for a view that repeats elements so often that it has more elements than the memory could hold. A view
     * needs no memory, but an op on it takes as long as for a value of this size.
     */
    public void requireHoldable(Shape shape) {
        long max = Math.min(quota.most(), engine.mostElements());
        if (shape.elements() > max) {
            throw limitCounters.refuse(
                    RuntimeLimit.QUOTA, "a view of " + shape.elements() + " elements is over " + max + " elements");
        }
    }

    public long usedBytes() {
        return quota.used();
    }

    /** Returns the size in bytes, or the largest long if the number overflows, which exceeds every quota. */
    private static long bytes(DType dtype, long elements) {
        return elements > Long.MAX_VALUE / dtype.bytes() ? Long.MAX_VALUE : elements * dtype.bytes();
    }

    /**
     * Returns the failure of kind resources for memory that is not available.
     *
     * @param bytes the number of requested bytes
     * @param expected the peak of the segment in bytes, or 0 if it is unknown
     */
    public OutpostException outOfMemory(long bytes, long expected) {
        long free = quota.free();
        String asked = "out of memory, requested " + bytes + " bytes, free ";
        String inAll = expected > bytes ? ", and the segment takes " + expected + " at its peak" : "";
        if (bytes <= free) {
            return new OutpostException(
                    FaultKind.RESOURCES,
                    asked + engine.available(bytes) + " bytes of the device" + inAll + ": "
                            + RuntimeLimit.QUOTA.remedy());
        }
        return limitCounters.refuse(RuntimeLimit.QUOTA, asked + free + " of " + bound(bytes) + inAll);
    }

    private String bound(long bytes) {
        if (bytes > quota.grant().free()) {
            return quota.grant().most() + " bytes of the grant, which all its sessions share";
        }
        boolean isOwn = bytes > quota.most() - quota.used();
        return isOwn ? quota.most() + " bytes" : quota.mostOfAll() + " bytes that all sessions share";
    }
}
