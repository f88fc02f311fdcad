package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.WireFrame;
import io.grpc.ServerCall;

/**
 * The incoming frames of a call, one at a time: the client is asked for the next when the reader is done with it, so
 * that a reader that is behind holds the sender back.
 */
final class IncomingFrames extends ServerCall.Listener<WireFrame> {
    /** Takes what comes; called by one thread at a time, but for the end. */
    interface Reader {
        /** A frame came, to be said to be done. */
        void onFrame(WireFrame frame);

        /** The other direction is ready for more. */
        void onReady();

        /** The client sends nothing more here. */
        void onFinished();

        /** The client is gone. */
        void onEnd();
    }

    private final ServerCall<WireFrame, WireFrame> call;
    private volatile Reader reader;

    IncomingFrames(ServerCall<WireFrame, WireFrame> call) {
        this.call = call;
    }

    /** Begins to read. */
    void start(Reader newReader) {
        reader = newReader;
        call.request(1);
        if (call.isCancelled()) {
            newReader.onEnd();
        }
    }

    /** Gives a frame back and asks for the next. */
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

    /** Without a reader the call still waits for its other lane, and whoever starts to read will see that it is over. */
    @Override
    public void onCancel() {
        Reader present = reader;
        if (present != null) {
            present.onEnd();
        }
    }
}
