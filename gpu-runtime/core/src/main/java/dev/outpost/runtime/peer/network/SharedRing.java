package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A ring buffer in shared memory from one process to another. One thread of one process writes, one thread of the other reads. Messages on
 * the socket announce the pieces to the reader. The memory contains the counts of written and read bytes, each on its own cache line. They
 * only grow.
 */
final class SharedRing {
    private static final int LINE_BYTES = 128;
    /** The number of bytes before the data. */
    static final int HEAD_BYTES = 2 * LINE_BYTES;

    private static final long LOOK_AGAIN_NANOS = 20_000;
    private static final int SPINS = 200;
    private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final MemorySegment bytes;
    private volatile boolean isClosed;
    /** The number of bytes written so far. Used by the writing side alone. */
    private long written;
    /** The number of bytes read so far. Used by the reading side alone. */
    private long read;

    /** @param memory filled with zeros at first */
    SharedRing(MemorySegment memory) {
        this.memory = memory;
        this.bytes = memory.asSlice(HEAD_BYTES);
    }

    long capacity() {
        return bytes.byteSize();
    }

    /**
     * Writes a piece. Waits until the other process has read the bytes in its place.
     *
     * @throws IOException if the ring is closed meanwhile
     */
    void write(Slice piece) throws IOException {
        awaitRoom(piece.length());
        int done = 0;
        while (done < piece.length()) {
            long at = written % capacity();
            int part = (int) Math.min(piece.length() - done, capacity() - at);
            MemorySegment.copy(piece.array(), piece.from() + done, bytes, ValueLayout.JAVA_BYTE, at, part);
            done += part;
            written += part;
        }
        COUNT.setRelease(memory, 0L, written);
    }

    private void awaitRoom(int length) throws IOException {
        if (length > capacity()) {
            throw new IOException("a piece of " + length + " bytes is over the " + capacity() + " of the memory");
        }
        for (int look = 0; written + length - (long) COUNT.getAcquire(memory, (long) LINE_BYTES) > capacity(); look++) {
            if (isClosed) {
                throw new IOException("the memory was closed");
            }
            if (look < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    /**
     * Reads a piece that the other process has announced.
     *
     * @throws IOException if it is not in the memory
     */
    byte[] read(int length) throws IOException {
        long there = (long) COUNT.getAcquire(memory, 0L) - read;
        if (length > there || there > capacity()) {
            throw new IOException("expected " + length + " bytes in the memory, got " + there);
        }
        byte[] piece = new byte[length];
        int done = 0;
        while (done < length) {
            long at = read % capacity();
            int part = (int) Math.min(length - done, capacity() - at);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, piece, done, part);
            done += part;
            read += part;
        }
        COUNT.setRelease(memory, (long) LINE_BYTES, read);
        return piece;
    }

    /** Closes the ring, so that a thread that waits for room fails. Callable from any thread. */
    void close() {
        isClosed = true;
    }
}
