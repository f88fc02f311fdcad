package dev.outpost.runtime.session.fetch;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Reads a session's downloads from the device before the lane sends them, one after the other, on a separate thread.
 * So the threads of the lane and of the engine never wait for a device or for each other. The number of bytes that
 * were read and not acknowledged is limited.
 */
public final class DownloadReader {
    /** The maximum number of pieces that are being read from the device. */
    private static final int MAX_UNDER_WAY = 8;

    private final ReliableLane lane;
    private final SharedQuota.Part room;
    private final LinkedBlockingQueue<StagedDownload> queue = new LinkedBlockingQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomMade = lock.newCondition();
    private final Consumer<Throwable> onBroken;
    private final Thread thread;
    private volatile boolean isOver;

    /**
     * @param room the share for bytes that were read, until the client has them
     * @param onBroken receives the failure after which nothing more is read
     */
    public DownloadReader(long session, ReliableLane lane, SharedQuota.Part room, Consumer<Throwable> onBroken) {
        this.lane = lane;
        this.room = room;
        this.onBroken = onBroken;
        this.thread = Thread.ofVirtual().name("outpost-downloads-" + session).start(this::readAll);
    }

    public void add(StagedDownload download) {
        queue.add(download);
        if (isOver) {
            dropQueued();
        }
    }

    /** Stops reading. */
    public void close() {
        thread.interrupt();
    }

    private void readAll() {
        try {
            while (true) {
                read(queue.take());
            }
        } catch (InterruptedException interrupted) {
            // The session has ended, so no client waits for the data.
        } catch (Throwable failure) {
            onBroken.accept(failure);
        } finally {
            isOver = true;
            dropQueued();
        }
    }

    private void dropQueued() {
        for (StagedDownload left = queue.poll(); left != null; left = queue.poll()) {
            left.drop();
            left.readNoMore();
        }
    }

    private void read(StagedDownload download) throws InterruptedException {
        ArrayDeque<StagedPiece> underWay = new ArrayDeque<>();
        try {
            while (begin(download, underWay)) {
                StagedPiece next = underWay.element();
                next.read().await();
                download.came(underWay.remove());
                offer();
            }
            // The whole value has been read, it has no elements, or it was dropped.
            offer();
            download.readNoMore();
        } catch (Throwable failure) {
            download.drop();
            abandon(download, underWay);
            throw failure;
        }
    }

    /** Begins to read the pieces for which there is room. Returns false if no piece is being read. */
    private boolean begin(StagedDownload download, ArrayDeque<StagedPiece> underWay) throws InterruptedException {
        int bytes = download.nextBytes();
        while (bytes > 0 && underWay.size() < MAX_UNDER_WAY && reserveRoom(bytes, underWay.isEmpty())) {
            StagedPiece piece = new StagedPiece(bytes, this::release);
            underWay.add(piece);
            download.beginNext(piece);
            bytes = download.nextBytes();
        }
        return !underWay.isEmpty();
    }

    /** Releases the pieces once the device no longer writes to them. */
    private static void abandon(StagedDownload download, ArrayDeque<StagedPiece> underWay) {
        StagedPiece last = underWay.peekLast();
        for (StagedPiece piece : underWay) {
            piece.read().whenDone(piece::release);
        }
        if (last == null) {
            download.readNoMore();
        } else {
            last.read().whenDone(download::readNoMore);
        }
    }

    private void offer() {
        try {
            lane.ready();
        } catch (OutpostException ignored) {
            // The lane reports its failure to all of its users.
        }
    }

    // ---- room

    private boolean reserveRoom(int bytes, boolean mayWait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean isReserved = room.reserve(bytes);
            while (!isReserved && mayWait) {
                roomMade.await();
                isReserved = room.reserve(bytes);
            }
            return isReserved;
        } finally {
            lock.unlock();
        }
    }

    private void release(int bytes) {
        lock.lock();
        try {
            room.release(bytes);
            roomMade.signal();
        } finally {
            lock.unlock();
        }
    }
}
