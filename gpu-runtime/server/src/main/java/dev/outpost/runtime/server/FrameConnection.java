package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.runtime.session.FrameOutput;
import dev.outpost.runtime.session.GrantAccount;
import dev.outpost.runtime.session.RuntimeConnection;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.types.OutpostException;
import io.grpc.Status;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client's connection: its two lanes, and the runtime behind them. When a lane ends, the connection does; but a client
 * that hangs up in good order has its last word on the control lane, which may come later than the end of the other.
 */
final class FrameConnection implements FrameOutput {
    private static final int CONTROL = 0;
    private static final int LAST_WORD_SECONDS = 2;

    private final LaneStream control;
    private final LaneStream bulk;
    private final AtomicBoolean over = new AtomicBoolean();

    FrameConnection(LaneStream control, LaneStream bulk) {
        this.control = control;
        this.bulk = bulk;
    }

    /**
     * Begins to read. Frames are handled where they arrive, since that never waits; only what makes room in the
     * engine's memory, which may take a while, gets off the event loop. While the engine is behind, bulk data wait in the network.
     */
    void start(RuntimeHost host, GrantAccount grant, ScheduledExecutorService workers) {
        RuntimeConnection runtime;
        try {
            runtime = host.accept(this, grant);
        } catch (OutpostException full) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(full.getMessage()));
            return;
        }
        bulk.incoming().start(new Reader(runtime, bulk, workers));
        control.incoming().start(new Reader(runtime, control, workers));
        bulk.accept();
        control.accept();
    }

    @Override
    public void send(int lane, byte[] frame) {
        stream(lane).send(new WireFrame(frame));
    }

    @Override
    public void send(int lane, byte[] head, Body body) {
        stream(lane).send(new WireFrame(head, body));
    }

    /** Bulk waits in the engine's memory, where it is; control goes out as it comes. */
    @Override
    public boolean isReady(int lane) {
        return lane == CONTROL || bulk.isReady();
    }

    @Override
    public void close(String reason) {
        end(Status.OK);
    }

    private LaneStream stream(int lane) {
        return lane == CONTROL ? control : bulk;
    }

    private void hungUp(RuntimeConnection runtime) {
        end(Status.OK);
        runtime.onClosed();
    }

    private void end(Status status) {
        if (over.compareAndSet(false, true)) {
            control.close(status);
            bulk.close(status);
        }
    }

    private final class Reader implements IncomingFrames.Reader {
        private final RuntimeConnection runtime;
        private final LaneStream lane;
        private final ScheduledExecutorService workers;

        Reader(RuntimeConnection runtime, LaneStream lane, ScheduledExecutorService workers) {
            this.runtime = runtime;
            this.lane = lane;
            this.workers = workers;
        }

        @Override
        public void onFrame(WireFrame frame) {
            Bytes content = Bytes.of(frame.content());
            if (lane == bulk && runtime.isBehind()) {
                // No other frame of the lane is asked for before this one is done.
                runtime.whenCaughtUp(() -> workers.execute(() -> take(frame, content)));
            } else if (lane == bulk && runtime.makesRoom(content)) {
                workers.execute(() -> take(frame, content));
            } else {
                take(frame, content);
            }
        }

        private void take(WireFrame frame, Bytes content) {
            runtime.onFrame(content);
            lane.incoming().done(frame);
        }

        @Override
        public void onReady() {
            if (lane == bulk) {
                runtime.onBulkReady();
            }
        }

        @Override
        public void onFinished() {
            if (lane == bulk) {
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
