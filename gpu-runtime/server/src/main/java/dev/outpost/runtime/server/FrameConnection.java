package dev.outpost.runtime.server;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.fault.OutpostException;
import dev.outpost.protocol.rpc.WireFrame;
import dev.outpost.runtime.session.FrameOutput;
import dev.outpost.runtime.session.RuntimeConnection;
import dev.outpost.runtime.session.RuntimeHost;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/** A client's connection: its two lanes, and the runtime behind them. When a lane ends, the connection does. */
final class FrameConnection implements FrameOutput {
    private static final Logger LOG = Logger.getLogger(FrameConnection.class);
    private static final int CONTROL = 0;

    /** How many bulk frames may wait for a thread; the client is asked for more as they are taken. */
    private static final int BULK_FRAMES_AHEAD = 8;

    private final LaneStream control;
    private final LaneStream bulk;
    private final AtomicBoolean over = new AtomicBoolean();

    FrameConnection(LaneStream control, LaneStream bulk) {
        this.control = control;
        this.bulk = bulk;
    }

    /**
     * Begins to read. Control is handled where it arrives, since it never waits; bulk makes room and copies, and so gets
     * off the event loop.
     */
    void start(RuntimeHost host, Executor workers) {
        RuntimeConnection runtime;
        try {
            runtime = host.accept(this);
        } catch (OutpostException full) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(full.getMessage()));
            return;
        }
        bulk.frames()
                .emitOn(workers, BULK_FRAMES_AHEAD)
                .subscribe()
                .with(runtime::onFrame, this::broken, () -> hungUp(runtime));
        control.frames().subscribe().with(runtime::onFrame, this::broken, () -> hungUp(runtime));
        bulk.accept();
        control.accept();
    }

    @Override
    public void send(int lane, byte[] frame) {
        stream(lane).send(new WireFrame(frame));
    }

    @Override
    public void send(int lane, byte[] head, Slice body) {
        stream(lane).send(new WireFrame(head, body));
    }

    @Override
    public boolean isReliable() {
        return true;
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

    /** The runtime takes whatever comes, so this is a defect of ours. */
    private void broken(Throwable defect) {
        LOG.error("a connection broke", defect);
        end(Status.INTERNAL.withDescription("the machine failed on a frame"));
    }

    private void end(Status status) {
        if (over.compareAndSet(false, true)) {
            control.close(status);
            bulk.close(status);
        }
    }
}
