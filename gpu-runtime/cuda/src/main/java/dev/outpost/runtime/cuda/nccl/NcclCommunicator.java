package dev.outpost.runtime.cuda.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outpost.runtime.cuda.library.NativeFunction;
import dev.outpost.runtime.engine.MissingMembersException;
import dev.outpost.types.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One member's side of a communicator with non-blocking calls. Each call is polled until it is enqueued, at most for
 * the timeout, and may be aborted meanwhile. Addresses are in device memory. Only one thread at a time may call it,
 * but any thread may abort.
 */
public final class NcclCommunicator implements AutoCloseable {
    private static final int SUM = 0;
    /** The number of polls without a pause. A normal call is enqueued by then. */
    private static final int HASTY_LOOKS = 200;

    private static final long PAUSE_NANOS = 50_000;

    private final Nccl nccl;
    private final MemorySegment handle;
    private final Duration timeout;
    /** Held by each call of the library, so that the communicator is not destroyed meanwhile. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean isOver;
    private boolean isTogether;

    NcclCommunicator(Nccl nccl, MemorySegment handle, Duration timeout) {
        this.nccl = nccl;
        this.handle = handle;
        this.timeout = timeout;
    }

    /** Waits for the members. Aborts the communicator if they do not join in time. */
    void awaitJoined(String call) {
        boolean isJoined = false;
        try {
            awaitDone(call);
            isJoined = true;
        } finally {
            if (!isJoined) {
                abort();
            }
        }
    }

    public void allReduce(long from, long to, long elements, DType dtype, long stream) {
        call(nccl.allReduce, pointer(from), pointer(to), elements, Nccl.code(dtype), SUM, handle, pointer(stream));
    }

    /** @param elements the number of elements of each member */
    public void allGather(long from, long to, long elements, DType dtype, long stream) {
        call(nccl.allGather, pointer(from), pointer(to), elements, Nccl.code(dtype), handle, pointer(stream));
    }

    /** @param elements the number of elements of each member's result */
    public void reduceScatter(long from, long to, long elements, DType dtype, long stream) {
        call(nccl.reduceScatter, pointer(from), pointer(to), elements, Nccl.code(dtype), SUM, handle, pointer(stream));
    }

    public void send(long from, long elements, DType dtype, int member, long stream) {
        call(nccl.send, pointer(from), elements, Nccl.code(dtype), member, handle, pointer(stream));
    }

    public void receive(long to, long elements, DType dtype, int member, long stream) {
        call(nccl.receive, pointer(to), elements, Nccl.code(dtype), member, handle, pointer(stream));
    }

    /** Enqueues the calls of the body as one operation, such as a send and the matching receive. */
    public void grouped(Runnable body) {
        int code;
        lock.lock();
        try {
            requireOpen(nccl.groupStart);
            nccl.check.check(nccl.groupStart.name(), nccl.groupStart.callInt());
            isTogether = true;
            try {
                body.run();
            } finally {
                isTogether = false;
                code = nccl.groupEnd.callInt();
            }
        } finally {
            lock.unlock();
        }
        await(nccl.groupEnd, code);
    }

    /** Aborts exchanges that would wait forever for a lost member. */
    public void abort() {
        lock.lock();
        try {
            if (!isOver) {
                isOver = true;
                requireBegun(nccl.abort, nccl.abort.callInt(handle));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the communicator after all enqueued work is done. */
    @Override
    public void close() {
        call(nccl.finish, handle);
        lock.lock();
        try {
            isOver = true;
            requireBegun(nccl.destroy, nccl.destroy.callInt(handle));
        } finally {
            lock.unlock();
        }
    }

    // ---- calls

    private void call(NativeFunction function, Object... arguments) {
        int code;
        lock.lock();
        try {
            requireOpen(function);
            code = function.callInt(arguments);
        } finally {
            lock.unlock();
        }
        if (isTogether) {
            requireBegun(function, code);
        } else {
            await(function, code);
        }
    }

    private void await(NativeFunction function, int code) {
        requireBegun(function, code);
        if (code == Nccl.IN_PROGRESS) {
            awaitDone(function.name());
        }
    }

    private void requireBegun(NativeFunction function, int code) {
        if (code != Nccl.IN_PROGRESS) {
            nccl.check.check(function.name(), code);
        }
    }

    private void awaitDone(String call) {
        long start = System.nanoTime();
        int state = state();
        for (int look = 0; state == Nccl.IN_PROGRESS; look++) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new MissingMembersException(call, timeout);
            }
            if (look > HASTY_LOOKS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            state = state();
        }
        nccl.check.check(call, state);
    }

    private int state() {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            requireOpen(nccl.state);
            MemorySegment state = arena.allocate(JAVA_INT);
            nccl.check.check(nccl.state.name(), nccl.state.callInt(handle, state));
            return state.get(JAVA_INT, 0);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(NativeFunction function) {
        if (isOver) {
            throw new IllegalStateException(function.name() + ": the communicator has ended");
        }
    }

    private static MemorySegment pointer(long address) {
        return MemorySegment.ofAddress(address);
    }
}
