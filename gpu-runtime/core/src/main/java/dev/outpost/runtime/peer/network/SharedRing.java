package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.bytes.Slice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Bytes on their way from one process to another, in memory of both. One thread of one process writes, one thread of the other one
 * reads; what is to be read is said elsewhere. The counts of bytes that were written and read lie in the memory, each on a line of its
 * own, and only grow.
 */
final class SharedRing {
    private static final int LINE_BYTES = 128;
    /** Before the bytes. */
    static final int HEAD_BYTES = 2 * LINE_BYTES;

    private static final long LOOK_AGAIN_NANOS = 20_000;
    private static final int SPINS = 200;
    private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private final MemorySegment bytes;
    private volatile boolean isClosed;
    /** Of the side that writes. */
    private long written;
    /** Of the side that reads. */
    private long read;

    /** @param memory begins with zeros */
    SharedRing(MemorySegment memory) {
        this.memory = memory;
        this.bytes = memory.asSlice(HEAD_BYTES);
    }

    long capacity() {
        return bytes.byteSize();
    }

    /**
     * Writes a piece; waits until the other process has read what is in its place.
     *
     * @throws IOException where it is closed meanwhile
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
     * Reads a piece of which the other process has said that it is there.
     *
     * @throws IOException where it is not
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

    /** Whoever waits for room does not wait any more. Any thread. */
    void close() {
        isClosed = true;
    }
}
