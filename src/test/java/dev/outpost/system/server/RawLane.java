package dev.outpost.system.server;

import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.support.tests.Await;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** One call of a connection, which reads only as much as the test wants. */
final class RawLane extends ClientCall.Listener<WireFrame> {
    private final ClientCall<WireFrame, WireFrame> call;
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final CompletableFuture<Status> ended = new CompletableFuture<>();
    private final LinkedBlockingQueue<Frame> frames = new LinkedBlockingQueue<>();

    private RawLane(ClientCall<WireFrame, WireFrame> call) {
        this.call = call;
    }

    static RawLane start(ManagedChannel channel, MethodDescriptor<WireFrame, WireFrame> method, Metadata headers) {
        RawLane lane = new RawLane(channel.newCall(method, CallOptions.DEFAULT));
        lane.call.start(lane, headers);
        return lane;
    }

    void send(byte[] frame) {
        call.sendMessage(new WireFrame(frame));
    }

    /** Closes the sending side of the call. */
    void halfClose() {
        call.halfClose();
    }

    /** Lets the machine send that many further frames. */
    void request(int count) {
        call.request(count);
    }

    void awaitAccepted() {
        await(accepted);
    }

    /** The machine's refusal of the call; empty if it has accepted the call. */
    Optional<Status> awaitRefusal() {
        await(accepted.handle((_, _) -> null));
        return accepted.isCompletedExceptionally() ? Optional.of(awaitEnd()) : Optional.empty();
    }

    /** The status with which the machine ended the call. */
    Status awaitEnd() {
        return await(ended);
    }

    /** The next frame that was read. */
    Frame next() throws InterruptedException {
        return Await.next("a frame; the call: " + ended, frames);
    }

    private static <T> T await(CompletableFuture<T> event) {
        try {
            return Await.result("an event of the call", event);
        } catch (InterruptedException | ExecutionException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    public void onHeaders(Metadata headers) {
        accepted.complete(null);
    }

    @Override
    public void onMessage(WireFrame message) {
        // Every frame is kept.
        byte[] frame = Bytes.of(message.content()).toByteArray();
        message.release();
        frames.add(Frame.decode(frame) instanceof Frame.Packed packed ? packed.unpack() : Frame.decode(frame));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        accepted.completeExceptionally(status.asRuntimeException());
        ended.complete(status);
    }
}
