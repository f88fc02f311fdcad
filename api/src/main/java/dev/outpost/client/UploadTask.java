package dev.outpost.client;

import dev.outpost.protocol.delivery.ReliableLane;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.types.TensorType;
import java.util.ArrayDeque;
import java.util.Deque;

/** Sends the elements of one upload in chunks. The source is not asked any more once {@link #run} has returned. */
final class UploadTask {
    private final ReliableLane lane;
    private final long upload;
    private final TensorType type;
    private final int totalBytes;
    private final Deque<UploadPiece> underWay = new ArrayDeque<>();
    private ElementSource elements;
    private int sent;

    UploadTask(ReliableLane lane, long upload, TensorType type, ElementSource elements) {
        this.lane = lane;
        this.upload = upload;
        this.type = type;
        this.totalBytes = Math.toIntExact(type.bytes());
        this.elements = elements;
    }

    /**
     * Waits where the lane is full. An upload must not stay half-done, for a segment waits for it: when the thread is
     * interrupted, the rest is read and sent from another.
     */
    void run() {
        try {
            sendRest();
            keepWhatIsUnderWay();
        } catch (InterruptedException interrupted) {
            keepWhatIsUnderWay();
            readRest();
            Thread.ofVirtual().name("outpost-upload").start(this::finish);
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.EXTERNAL, "interrupted while uploading " + type, interrupted);
        }
    }

    /** The program may change its array once it has been told. */
    private void readRest() {
        if (elements.isFixed()) {
            return;
        }
        int first = sent;
        byte[] rest = new byte[totalBytes - first];
        elements.read(first, rest, 0, rest.length);
        elements = (from, target, at, length) -> System.arraycopy(rest, from - first, target, at, length);
    }

    private void finish() {
        try {
            sendRest();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutpostException over) {
            // The session is over, and whoever uses it is told so.
            elements = null;
        }
    }

    private void sendRest() throws InterruptedException {
        while (sent < totalBytes) {
            UploadPiece piece = new UploadPiece(elements, sent, Math.min(Message.CHUNK_BYTES, totalBytes - sent));
            remember(piece);
            lane.send(Message.UploadChunk.payload(upload, type.dtype(), totalBytes, sent, piece));
            sent += piece.length();
        }
    }

    private void remember(UploadPiece piece) {
        while (!underWay.isEmpty() && underWay.peek().isReleased()) {
            underWay.poll();
        }
        underWay.add(piece);
    }

    private void keepWhatIsUnderWay() {
        if (!elements.isFixed()) {
            underWay.forEach(UploadPiece::keep);
        }
    }
}
