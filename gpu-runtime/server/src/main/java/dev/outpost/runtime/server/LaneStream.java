package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/** One lane of a connection: a call that streams frames in both directions. */
final class LaneStream {
    private final ServerCall<WireFrame, WireFrame> call;
    private final IncomingFrames incoming;
    private final ReentrantLock sending = new ReentrantLock();
    private boolean closed;

    LaneStream(ServerCall<WireFrame, WireFrame> call) {
        this.call = call;
        call.setOnReadyThreshold(RuntimeCalls.READY_BYTES);
        this.incoming = new IncomingFrames(call);
    }

    /** Returns the frames from the client. */
    IncomingFrames incoming() {
        return incoming;
    }

    /** Returns the address of the client. All callers by a Unix socket count as one. */
    String peer() {
        return peer(call);
    }

    /** Returns the address of a call. All callers by a Unix socket count as one. */
    static String peer(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote
                ? remote.getAddress().getHostAddress()
                : "local";
    }

    boolean isCancelled() {
        return call.isCancelled();
    }

    /** Tells the client that both lanes are connected. */
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

    /**
     * Sends a frame. Drops it if the call is over. gRPC buffers the frames that the client has not read. {@link #isReady} limits these
     * frames on the bulk lane. The window of the lane limits them on the control lane.
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

    /** True if few enough bytes wait to be sent, or if the call is cancelled and frames are dropped. */
    boolean isReady() {
        return call.isCancelled() || call.isReady();
    }

    /** Ends the call after the queued frames were sent. Does nothing if the call is over. */
    void close(Status status) {
        sending.lock();
        try {
            if (!closed && !call.isCancelled()) {
                call.close(status, new Metadata());
            }
            closed = true;
        } finally {
            sending.unlock();
        }
    }
}
