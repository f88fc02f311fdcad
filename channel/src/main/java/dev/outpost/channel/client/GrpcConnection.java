package dev.outpost.channel.client;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.protocol.bytes.Body;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** One connection: a call for each lane, each over a separate transport. If one call ends, the other ends too. */
final class GrpcConnection implements FrameChannel {
    private static final Map<Lane, MethodDescriptor<WireFrame, WireFrame>> METHODS = Lane.each(RuntimeCalls::of);

    private final Channels channels;
    private final FrameListener listener;
    private final Map<Lane, LaneCall> calls = new EnumMap<>(Lane.class);
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean started;

    GrpcConnection(Channels channels, FrameListener listener) {
        this.channels = channels;
        this.listener = listener;
    }

    /** Calls the machine and waits until it has accepted both lanes. */
    void open(Function<UUID, Metadata> headers, Duration timeout) throws IOException {
        UUID number = UUID.randomUUID();
        for (Lane lane : Lane.ALL) {
            calls.put(lane, new LaneCall(channels.open(), Objects.requireNonNull(METHODS.get(lane)), new Events(lane)));
        }
        calls.values().forEach(call -> call.start(headers.apply(number)));
        started = true;
        if (over.get()) {
            abort("the other lane ended");
        }
        try {
            accepted.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw (IOException) failure.getCause();
        } catch (TimeoutException failure) {
            abort("no answer in time");
            throw new IOException(SlowMachine.sentence(channels.name(), timeout), failure);
        } catch (InterruptedException interrupted) {
            abort("interrupted");
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to " + channels.name(), interrupted);
        }
    }

    @Override
    public void send(Lane lane, byte[] frame) {
        call(lane).send(new WireFrame(frame));
    }

    @Override
    public void send(Lane lane, byte[] head, Body body) {
        call(lane).send(new WireFrame(head, body));
    }

    @Override
    public boolean isReady(Lane lane) {
        return !lane.waitsForNetwork() || call(lane).isReady();
    }

    /** Closes the connection. Frames that were sent before still arrive. */
    @Override
    public void close(String reason) {
        if (over.compareAndSet(false, true)) {
            calls.values().forEach(LaneCall::finish);
        }
    }

    private LaneCall call(Lane lane) {
        return Objects.requireNonNull(calls.get(lane));
    }

    private void abort(String reason) {
        over.set(true);
        calls.values().forEach(call -> call.abort(reason));
    }

    private final class Events implements LaneCall.Events {
        private final Lane lane;

        Events(Lane lane) {
            this.lane = lane;
        }

        @Override
        public void accepted() {
            if (calls.values().stream().allMatch(LaneCall::isAccepted)) {
                accepted.complete(null);
            }
        }

        @Override
        public void ready() {
            listener.onReady(lane);
        }

        @Override
        public void frame(ByteBuffer... frame) {
            listener.onFrame(lane, frame);
        }

        @Override
        public void ended(Status status) {
            if (lane == Lane.BULK && status.isOk() && accepted.isDone()) {
                // The machine's last message is on the control lane and may not have arrived yet.
                call(Lane.CONTROL).finish();
                return;
            }
            if (!over.compareAndSet(false, true)) {
                return;
            }
            boolean failed = accepted.completeExceptionally(CallFailure.of(channels.name(), status));
            // A call that has not been started cannot be cancelled. The thread that starts it checks this flag.
            if (started) {
                abort("the other lane ended");
            }
            if (!failed) {
                listener.onClosed(CallFailure.sentence(channels.name(), status));
            }
        }
    }
}
