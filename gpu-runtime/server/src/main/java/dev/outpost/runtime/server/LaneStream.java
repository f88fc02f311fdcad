package dev.outpost.runtime.server;

import dev.outpost.protocol.rpc.WireFrame;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.smallrye.mutiny.Multi;
import java.util.concurrent.locks.ReentrantLock;

/** One lane of a connection: a call that streams frames both ways. */
final class LaneStream {
    private final ServerCall<WireFrame, WireFrame> call;
    private final IncomingFrames incoming;
    private final ReentrantLock sending = new ReentrantLock();
    private boolean closed;

    LaneStream(ServerCall<WireFrame, WireFrame> call) {
        this.call = call;
        this.incoming = new IncomingFrames(call);
    }

    ServerCall.Listener<WireFrame> listener() {
        return incoming;
    }

    boolean isCancelled() {
        return call.isCancelled();
    }

    /** Tells the client that both lanes are there. */
    void accept() {
        sending.lock();
        try {
            if (!closed) {
                call.sendHeaders(new Metadata());
            }
        } finally {
            sending.unlock();
        }
    }

    /** The frames of the client, until it hangs up. */
    Multi<byte[]> frames() {
        return Multi.createFrom().publisher(incoming);
    }

    /**
     * Sends a frame; drops it when the call is over. What the client does not read is kept by gRPC: no more than a lane's
     * window, beyond which its sender waits for acknowledgements.
     */
    void send(WireFrame frame) {
        sending.lock();
        try {
            if (!closed && !call.isCancelled()) {
                call.sendMessage(frame);
            }
        } finally {
            sending.unlock();
        }
    }

    /** Ends the call once what was sent has gone out. */
    void close(Status status) {
        sending.lock();
        try {
            if (!closed) {
                closed = true;
                call.close(status, new Metadata());
            }
        } finally {
            sending.unlock();
        }
    }
}
