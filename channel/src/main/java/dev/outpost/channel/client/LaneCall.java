package dev.outpost.channel.client;

import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** One lane of a connection: a call that streams frames both ways, on a separate transport. */
final class LaneCall {
    /** Receives the events of a call, on one thread at a time. */
    interface Events {
        void accepted();

        /** Receives a frame. The buffers are valid only during the call. */
        void frame(ByteBuffer... frame);

        /** Called when the lane can take more frames again. */
        void ready();

        /** Called once when the call has ended. */
        void ended(Status status);
    }

    /** The time after which this side aborts a half-closed call that the machine has not closed. */
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final ManagedChannel channel;
    private final ClientCall<WireFrame, WireFrame> call;
    private final Events events;
    private final ReentrantLock sending = new ReentrantLock();
    private boolean finished;
    private volatile boolean accepted;
    private volatile boolean ended;

    LaneCall(ManagedChannel channel, MethodDescriptor<WireFrame, WireFrame> method, Events events) {
        this.channel = channel;
        this.call = channel.newCall(method, CallOptions.DEFAULT.withOnReadyThreshold(RuntimeCalls.READY_BYTES));
        this.events = events;
    }

    void start(Metadata headers) {
        call.start(new Listener(), headers);
        call.request(1);
    }

    boolean isAccepted() {
        return accepted;
    }

    /** Sends a frame. If the call is over, the frame is dropped. */
    void send(WireFrame frame) {
        sending.lock();
        try {
            if (!finished) {
                call.sendMessage(frame);
            }
        } finally {
            sending.unlock();
        }
    }

    /** Returns true if the transport can take more now, or if the call is over, because dropped frames need not wait. */
    boolean isReady() {
        return ended || call.isReady();
    }

    /** Half-closes the call, so that sent frames still arrive. */
    void finish() {
        if (endSending()) {
            call.halfClose();
            Thread.ofVirtual().name("outpost-hang-up").start(this::abortIfSlow);
        }
        channel.shutdown();
    }

    void abort(String reason) {
        endSending();
        call.cancel(reason, null);
        channel.shutdownNow();
    }

    /** Marks the sending side as ended. Returns true if this call ended it. */
    private boolean endSending() {
        sending.lock();
        try {
            boolean first = !finished;
            finished = true;
            return first;
        } finally {
            sending.unlock();
        }
    }

    private void abortIfSlow() {
        try {
            Thread.sleep(FAREWELL);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            abort("the machine did not hang up");
        }
    }

    private final class Listener extends ClientCall.Listener<WireFrame> {
        @Override
        public void onHeaders(Metadata headers) {
            accepted = true;
            events.accepted();
        }

        @Override
        public void onReady() {
            events.ready();
        }

        @Override
        public void onMessage(WireFrame frame) {
            try {
                events.frame(frame.content());
            } finally {
                frame.release();
            }
            call.request(1);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended = true;
            events.ended(status);
            channel.shutdown();
        }
    }
}
