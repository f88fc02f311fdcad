package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.WireFrame;
import io.grpc.ServerCall;

/**
 * The incoming frames of a call, one at a time. The next frame is requested when the reader is done with the current one, so a slow reader
 * slows the sender down.
 */
final class IncomingFrames extends ServerCall.Listener<WireFrame> {
    /** Receives the events. One thread at a time calls it, except for {@link #onEnd}. */
    interface Reader {
        /** Handles a frame. The reader must call {@link #done} afterwards. */
        void onFrame(WireFrame frame);

        /** Called when more frames can be sent in the other direction. */
        void onReady();

        /** Called when the client sends no more frames. */
        void onFinished();

        /** Called when the call has ended, because the client has disconnected. */
        void onEnd();
    }

    private final ServerCall<WireFrame, WireFrame> call;
    private volatile Reader reader;

    IncomingFrames(ServerCall<WireFrame, WireFrame> call) {
        this.call = call;
    }

    void start(Reader newReader) {
        reader = newReader;
        call.request(1);
        if (call.isCancelled()) {
            newReader.onEnd();
        }
    }

    /** Releases a frame, and requests the next one. */
    void done(WireFrame frame) {
        frame.release();
        call.request(1);
    }

    @Override
    public void onMessage(WireFrame frame) {
        reader.onFrame(frame);
    }

    @Override
    public void onReady() {
        Reader present = reader;
        if (present != null) {
            present.onReady();
        }
    }

    @Override
    public void onHalfClose() {
        Reader present = reader;
        if (present != null) {
            present.onFinished();
        }
    }

    /**
     * Handles the end of the call. Without a reader, the call still waits for its other lane. A reader that starts later receives the end.
     */
    @Override
    public void onCancel() {
        Reader present = reader;
        if (present != null) {
            present.onEnd();
        }
    }
}
