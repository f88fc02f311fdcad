package dev.outpost.runtime.server;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.runtime.session.RuntimeConnection;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.types.OutpostException;
import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Connects a client's two lanes to its {@link dev.outpost.runtime.session.RuntimeConnection}. The connection ends
 * when either lane ends. However, a client that disconnects in order sends its last message on the control lane, and
 * this message may arrive after the end of the bulk lane.
 */
final class FrameConnection implements FrameChannel {
    private static final int LAST_WORD_SECONDS = 2;

    private final Map<Lane, LaneStream> streams;
    private final AtomicBoolean over = new AtomicBoolean();

    FrameConnection(Map<Lane, LaneStream> streams) {
        this.streams = streams;
    }

    /**
     * Begins to read. Frames are handled on the event loop, because most of them take little time. Frames that
     * allocate the engine's memory may take longer, so a worker thread handles them. While the engine is behind, no
     * further bulk data are read from the network.
     */
    void start(RuntimeHost host, GrantAccount grant, ScheduledExecutorService workers) {
        RuntimeConnection runtime;
        try {
            runtime = host.accept(this, grant);
        } catch (OutpostException failure) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(failure.getMessage()));
            return;
        }
        streams.forEach((lane, stream) -> stream.incoming().start(new Reader(runtime, lane, workers)));
        streams.values().forEach(LaneStream::accept);
    }

    @Override
    public void send(Lane lane, byte[] frame) {
        streams.get(lane).send(new WireFrame(frame));
    }

    @Override
    public void send(Lane lane, byte[] head, Body body) {
        streams.get(lane).send(new WireFrame(head, body));
    }

    @Override
    public boolean isReady(Lane lane) {
        return !lane.waitsForNetwork() || streams.get(lane).isReady();
    }

    @Override
    public void close(String reason) {
        end(Status.OK);
    }

    private void hungUp(RuntimeConnection runtime) {
        end(Status.OK);
        runtime.onClosed();
    }

    private void end(Status status) {
        if (over.compareAndSet(false, true)) {
            streams.values().forEach(stream -> stream.close(status));
        }
    }

    private final class Reader implements IncomingFrames.Reader {
        private final RuntimeConnection runtime;
        private final Lane lane;
        private final ScheduledExecutorService workers;

        Reader(RuntimeConnection runtime, Lane lane, ScheduledExecutorService workers) {
            this.runtime = runtime;
            this.lane = lane;
            this.workers = workers;
        }

        @Override
        public void onFrame(WireFrame frame) {
            Bytes content = Bytes.of(frame.content());
            if (lane == Lane.BULK && runtime.isBehind()) {
                // The next frame of the lane is requested only after this one is done.
                runtime.whenCaughtUp(() -> workers.execute(() -> take(frame, content)));
            } else if (lane == Lane.BULK && runtime.makesRoom(content)) {
                workers.execute(() -> take(frame, content));
            } else {
                take(frame, content);
            }
        }

        private void take(WireFrame frame, Bytes content) {
            runtime.onFrame(content);
            streams.get(lane).incoming().done(frame);
        }

        @Override
        public void onReady() {
            if (lane == Lane.BULK) {
                runtime.onBulkReady();
            }
        }

        @Override
        public void onFinished() {
            if (lane == Lane.BULK) {
                workers.schedule(() -> hungUp(runtime), LAST_WORD_SECONDS, TimeUnit.SECONDS);
            } else {
                hungUp(runtime);
            }
        }

        @Override
        public void onEnd() {
            hungUp(runtime);
        }
    }
}
