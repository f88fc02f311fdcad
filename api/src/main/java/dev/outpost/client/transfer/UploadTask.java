package dev.outpost.client.transfer;

import dev.outpost.channel.delivery.PayloadSource;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.client.waits.ReadLimit;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sends the elements of one upload, in chunks that the lane requests. The source is not read after {@link #run} has
 * returned.
 */
public final class UploadTask implements PayloadSource {
    private final ReliableLane lane;
    private final ReadLimit limit;
    private final long upload;
    private final TensorType type;
    private final int totalBytes;
    private final Deque<UploadPiece> underWay = new ArrayDeque<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private ElementSource elements;
    private int sent;
    private OutpostException reason;

    public UploadTask(ReliableLane lane, ReadLimit limit, long upload, TensorType type, ElementSource elements) {
        this.lane = lane;
        this.limit = limit;
        this.upload = upload;
        this.type = type;
        this.totalBytes = Math.toIntExact(type.bytes());
        this.elements = elements;
    }

    /**
     * Waits until all elements have been passed to the lane. An upload must not stay incomplete, because a segment
     * waits for it. If the thread is interrupted, or the machine accepts no bytes for too long, the rest is copied
     * and sent later.
     */
    public void run() {
        lane.submit(this);
        try {
            awaitTaken();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.EXTERNAL, "interrupted while uploading " + type, interrupted);
        }
        requireTaken();
    }

    private void awaitTaken() throws InterruptedException {
        try {
            long before = 0;
            long begin = limit.now();
            while (!over.await(limit.checkNanos(), TimeUnit.NANOSECONDS)) {
                long now = sent();
                begin = now > before ? limit.now() : begin;
                before = now;
                limit.require(begin);
            }
        } finally {
            release();
        }
    }

    private synchronized long sent() {
        return sent;
    }

    @Override
    public synchronized Payload next() {
        if (sent == totalBytes) {
            return null;
        }
        UploadPiece piece = new UploadPiece(elements, sent, Math.min(Message.CHUNK_BYTES, totalBytes - sent));
        remember(piece);
        Payload payload = ToRuntime.UploadChunk.payload(upload, type.dtype(), totalBytes, sent, piece);
        sent += piece.length();
        return payload;
    }

    @Override
    public void taken() {
        over.countDown();
    }

    @Override
    public synchronized void ended(OutpostException ending) {
        reason = ending;
        over.countDown();
    }

    private void remember(UploadPiece piece) {
        while (!underWay.isEmpty() && underWay.peek().isReleased()) {
            underWay.poll();
        }
        underWay.add(piece);
    }

    /**
     * Copies the elements that are still needed, because the program may change its array from now on. If the session is over, they are not
     * needed.
     */
    private synchronized void release() {
        if (elements.isFixed() || reason != null) {
            return;
        }
        underWay.forEach(UploadPiece::keep);
        int first = sent;
        byte[] rest = new byte[totalBytes - first];
        if (rest.length > 0) {
            elements.read(first, rest, 0, rest.length);
        }
        elements = (from, target, at, length) -> System.arraycopy(rest, from - first, target, at, length);
    }

    private synchronized void requireTaken() {
        if (reason != null) {
            throw new OutpostException(reason.kind(), reason.getMessage(), reason);
        }
    }
}
