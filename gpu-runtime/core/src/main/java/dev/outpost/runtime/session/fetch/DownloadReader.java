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
 * Reads a session's downloads ahead of its lane, one behind the other, on a thread of its own: neither the lane's threads nor the
 * engine's wait for a device, or for each other. What was read and is not acknowledged has a bound.
 */
public final class DownloadReader {
    /** Pieces that the device reads at once. */
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
     * @param room for bytes that are read, until the client has them
     * @param onBroken hears why nothing is read any more
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

    /** Reads no more. */
    public void close() {
        thread.interrupt();
    }

    private void readAll() {
        try {
            while (true) {
                read(queue.take());
            }
        } catch (InterruptedException interrupted) {
            // There is no client to be told.
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
            // A value without elements, or one that was dropped.
            offer();
            download.readNoMore();
        } catch (Throwable failure) {
            download.drop();
            abandon(download, underWay);
            throw failure;
        }
    }

    /** Begins what there is room for; false where nothing is under way any more. */
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

    /** The device may be writing to them still. */
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
            // The lane tells the same to all who use it.
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
