package dev.outpost.runtime.session;

import dev.outpost.protocol.fault.MalformedException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.engine.Engine;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Data on its way in. Chunks are written into place as they come, before or after the segment that names the upload;
 * the segment waits for the last.
 */
final class Uploads {
    private static final int MAX_OPEN = 1 << 16;

    private final SessionMemory memory;
    private final Engine engine;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Map<Long, IncomingUpload> open = new HashMap<>();
    private final NumberSet started = new NumberSet();
    private final NumberSet taken = new NumberSet();
    private boolean closed;

    Uploads(SessionMemory memory, Engine engine) {
        this.memory = memory;
        this.engine = engine;
    }

    /** A chunk came; one that does not continue its upload is malformed. */
    void accept(Message.UploadChunk chunk) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            IncomingUpload upload = chunk.offset() == 0 ? start(chunk) : open.get(chunk.upload());
            if (upload == null) {
                throw new MalformedException("upload " + chunk.upload() + " does not begin at its first byte");
            }
            upload.append(chunk, engine);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the upload is whole; its storage is the caller's. Fails as the upload failed. */
    Storage take(long number, TensorType type) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!taken.add(number)) {
                throw new MalformedException("upload " + number + " is used twice");
            }
            IncomingUpload upload = type.bytes() == 0 ? null : awaitWhole(number);
            return upload == null ? empty(number, type.dtype()) : upload.finish(type);
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what has arrived; what still comes is dropped. */
    void close() {
        lock.lock();
        try {
            closed = true;
            open.values().forEach(IncomingUpload::discard);
            open.clear();
        } finally {
            lock.unlock();
        }
    }

    private IncomingUpload start(Message.UploadChunk chunk) {
        if (!started.add(chunk.upload())) {
            throw new MalformedException("upload " + chunk.upload() + " begins twice");
        }
        if (open.size() == MAX_OPEN) {
            throw new MalformedException("over " + MAX_OPEN + " uploads are open");
        }
        IncomingUpload upload = IncomingUpload.begin(chunk, memory);
        open.put(chunk.upload(), upload);
        return upload;
    }

    private IncomingUpload awaitWhole(long number) throws InterruptedException {
        for (IncomingUpload upload = open.get(number); ; upload = open.get(number)) {
            if (upload != null && upload.isWhole()) {
                return open.remove(number);
            }
            arrived.await();
        }
    }

    private Storage empty(long number, DType dtype) {
        if (!started.add(number)) {
            throw new MalformedException("upload " + number + " has bytes but its type has none");
        }
        return memory.allocate(dtype, 0);
    }
}
