package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;

/** One lane of a connection: a call that streams frames both ways. */
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

    /** The frames that the client sends. */
    IncomingFrames incoming() {
        return incoming;
    }

    /** The address from which it comes; all that come by a socket of this host are one. */
    String peer() {
        return peer(call);
    }

    /** The address from which a call comes; all that come by a socket of this host are one. */
    static String peer(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress remote
                ? remote.getAddress().getHostAddress()
                : "local";
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

    /**
     * Sends a frame; drops it when the call is over. What the client does not read is kept by gRPC: of bulk, no more than
     * {@link #isReady} allows, and of control, no more than a lane's window.
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

    /** Whether little enough waits to go out; what is dropped need not wait. */
    boolean isReady() {
        return call.isCancelled() || call.isReady();
    }

    /** Ends the call once what was sent has gone out; a call that is over says nothing more. */
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
