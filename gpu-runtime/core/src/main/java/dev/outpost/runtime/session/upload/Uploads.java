package dev.outpost.runtime.session.upload;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.NumberSet;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The data that a client is sending. Each chunk is written to the upload's memory when it arrives, which may be
 * before or after the segment that names the upload. The segment waits for the last chunk.
 */
public final class Uploads {
    /** The maximum number of bytes that the device has not copied yet. If there are more, the client has to wait. */
    private static final long MAX_UNDER_WAY = 4L << 20;

    private final SessionMemory memory;
    private final Engine engine;
    private final PendingUploadBytes pendingUploadBytes = new PendingUploadBytes(MAX_UNDER_WAY);
    private final SharedQuota.Part room;
    private final LimitCounters limitCounters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<Long, IncomingUpload> open = new HashMap<>();
    private final NumberSet started = new NumberSet();
    private final NumberSet taken = new NumberSet();
    private OutpostException stopped;
    private boolean closed;

    /** @param room the session's share of the number of uploads that are incomplete or not used yet */
    public Uploads(SessionMemory memory, Engine engine, SharedQuota.Part room, LimitCounters limitCounters) {
        this.memory = memory;
        this.engine = engine;
        this.room = room;
        this.limitCounters = limitCounters;
    }

    /** Handles a chunk. Throws a {@link MalformedException} if it does not continue its upload. */
    public void accept(ToRuntime.UploadChunk chunk) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            IncomingUpload upload = chunk.offset() == 0 ? start(chunk) : open.get(chunk.upload());
            if (upload == null) {
                throw new MalformedException("upload " + chunk.upload() + " does not begin at its first byte");
            }
            pendingUploadBytes.add(chunk.bytes().length(), upload.append(chunk, engine));
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the upload is complete. The caller owns the storage. If the upload failed, throws its failure.
     *
     * @param beforeWaiting called before each wait
     */
    public RefCountedStorage take(long number, TensorType type, Runnable beforeWaiting) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!taken.add(number)) {
                throw new MalformedException("upload " + number + " is used twice");
            }
            IncomingUpload upload = type.bytes() == 0 ? null : awaitWhole(number, beforeWaiting);
            return upload == null ? empty(number, type.dtype()) : upload.finish(type);
        } finally {
            lock.unlock();
        }
    }

    /** Announces that no more data will arrive: threads that wait for an incomplete upload fail with the reason. */
    public void stop(OutpostException reason) {
        lock.lock();
        try {
            stopped = reason;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes that were passed to the engine and that it has not copied yet. */
    public PendingUploadBytes backlog() {
        return pendingUploadBytes;
    }

    /** Returns the number of uploads that are incomplete or not used yet. */
    public int size() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the data that has arrived, and drops later data. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            open.values().forEach(IncomingUpload::discard);
            room.release(open.size());
            open.clear();
        } finally {
            lock.unlock();
        }
    }

    private IncomingUpload start(ToRuntime.UploadChunk chunk) {
        if (!started.add(chunk.upload())) {
            throw new MalformedException("upload " + chunk.upload() + " begins twice");
        }
        if (!room.reserve(1)) {
            throw limitCounters.refuse(RuntimeLimit.UPLOADS, room.obstacle(1, "uploads are in flight"));
        }
        IncomingUpload upload = IncomingUpload.begin(chunk, memory);
        open.put(chunk.upload(), upload);
        return upload;
    }

    private IncomingUpload awaitWhole(long number, Runnable beforeWaiting) throws InterruptedException {
        while (!isWhole(number)) {
            if (stopped != null) {
                throw new OutpostException(stopped.kind(), stopped.getMessage());
            }
            beforeWaiting.run();
            arrived.await();
        }
        room.release(1);
        return open.remove(number);
    }

    private boolean isWhole(long number) {
        IncomingUpload upload = open.get(number);
        return upload != null && upload.isWhole();
    }

    private RefCountedStorage empty(long number, DType dtype) {
        if (!started.add(number)) {
            throw new MalformedException("upload " + number + " has bytes but its type has none");
        }
        return memory.allocate(dtype, 0);
    }
}
