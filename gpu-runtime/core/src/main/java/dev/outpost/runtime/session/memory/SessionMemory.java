package dev.outpost.runtime.session.memory;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** Where a session's storages come from: the engine's memory, within the session's quota. */
public final class SessionMemory {
    /** Of the number by which an engine knows the memory of uploads of a session and size; those of arenas are above 0. */
    private static final int UPLOAD_SIZE_BITS = 40;

    private final long session;
    private final Engine engine;
    private final SharedQuota.Part quota;
    private final LimitCounters limitCounters;

    /** @param session its number, which tells the engine whose memory it is */
    public SessionMemory(long session, Engine engine, SharedQuota.Part quota, LimitCounters limitCounters) {
        this.session = session;
        this.engine = engine;
        this.quota = quota;
        this.limitCounters = limitCounters;
    }

    /** How many of so many bytes there are, by the session's quota and by the device. */
    public long available(long bytes) {
        long granted = Math.min(bytes, quota.free());
        return granted <= 0 ? 0 : engine.available(granted);
    }

    /** The share that it is charged for its values. */
    public SharedQuota.Part quota() {
        return quota;
    }

    /** Charges the session so much, or fails as {@link #allocate} does. */
    public void reserve(long bytes) {
        if (!quota.reserve(bytes)) {
            throw outOfMemory(bytes, 0);
        }
    }

    /** As {@link #reserve}, for its part of a value whose other holders gave up that part before. */
    public void reserveHeld(long bytes) {
        if (!quota.reserveHeld(bytes)) {
            throw outOfMemory(bytes, 0);
        }
    }

    /** Memory of undefined content, or a failure of kind resources that names what was asked and what is free. */
    public RefCountedStorage allocate(DType dtype, long elements) {
        return allocate(dtype, elements, Engine.NO_USE);
    }

    /** As {@link #allocate(DType, long)}, for a value. */
    public RefCountedStorage allocate(TensorType type) {
        return allocate(type.dtype(), type.shape().elements());
    }

    /** Memory with these elements; fails as {@link #allocate(DType, long)} does. */
    public RefCountedStorage store(TensorType type, byte[] elements) {
        RefCountedStorage storage = allocate(type);
        engine.write(storage.buffer(), 0, new Slice(elements));
        return storage;
    }

    /** As {@link #allocate(DType, long)}, for data that come to the machine: those of one size lie where earlier ones lay. */
    public RefCountedStorage allocateUpload(DType dtype, long elements) {
        long use = -1 - (session << UPLOAD_SIZE_BITS ^ bytes(dtype, elements) & (1L << UPLOAD_SIZE_BITS) - 1);
        return allocate(dtype, elements, use);
    }

    /** @param use as {@link Engine#allocate(DType, long, long, long)} has it */
    RefCountedStorage allocate(DType dtype, long elements, long use) {
        long bytes = bytes(dtype, elements);
        if (!quota.reserve(bytes)) {
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
     * Fails for a view that repeats elements until they are more than there could be without it: views cost no memory,
     * but all that computes on them takes as long as if they did.
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

    /** More than a long can say is as much as a long can say: no quota reaches it. */
    private static long bytes(DType dtype, long elements) {
        return elements > Long.MAX_VALUE / dtype.bytes() ? Long.MAX_VALUE : elements * dtype.bytes();
    }

    /**
     * The failure of what finds no room, of kind resources.
     *
     * @param bytes what is asked
     * @param expected what the segment takes at its peak, where that is known
     */
    public OutpostException outOfMemory(long bytes, long expected) {
        long free = quota.free();
        String asked = "out of memory, asked " + bytes + " bytes, free ";
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
