package dev.outpost.client;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.delivery.ReliableLane;
import dev.outpost.protocol.fault.FaultKind;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.types.TensorType;

/** Sends the elements of one upload in chunks. The caller may reuse its array once {@link #run} has returned. */
final class UploadTask {
    private final ReliableLane lane;
    private final long upload;
    private final TensorType type;
    private byte[] elements;
    private int sent;

    UploadTask(ReliableLane lane, long upload, TensorType type, byte[] elements) {
        this.lane = lane;
        this.upload = upload;
        this.type = type;
        this.elements = elements;
    }

    /**
     * Waits where the lane is full. An upload must not stay half-done, for a segment waits for it: when the thread is
     * interrupted, the rest is sent from another.
     */
    void run() {
        try {
            sendRest();
        } catch (InterruptedException interrupted) {
            Thread.ofVirtual().name("outpost-upload").start(this::finish);
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.EXTERNAL, "interrupted while uploading " + type, interrupted);
        }
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
        while (sent < elements.length) {
            int end = Math.min(sent + Message.CHUNK_BYTES, elements.length);
            Slice chunk = new Slice(elements, sent, end - sent);
            lane.send(new Message.UploadChunk(upload, type.dtype(), elements.length, sent, chunk).payload());
            sent = end;
        }
    }
}
