package dev.outpost.client.session;

import dev.outpost.client.failures.SessionTermination;
import dev.outpost.client.link.Outbox;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.program.ScanControl;
import dev.outpost.client.waits.BlockingWaits;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.types.TensorType;

/** Begins, continues and cancels the scans of a session. */
record SessionScans(
        SessionTermination termination,
        Backpressure backpressure,
        PendingFetches fetches,
        Outbox outbox,
        BlockingWaits blockingWaits)
        implements ScanControl {

    RemoteScan scan(TensorType[] emitted, long max) {
        termination.requireRunning();
        RemoteScan scan = new RemoteScan(emitted, max);
        adopt(scan);
        return scan;
    }

    /** Lets this session run a scan that has not begun. */
    void adopt(RemoteScan scan) {
        if (!scan.isOf(this)) {
            scan.of(this, fetches.reserve(scan.fetches()));
        }
    }

    @Override
    public BlockingWaits waits() {
        return blockingWaits;
    }

    @Override
    public boolean isPaused() {
        return termination.isPaused();
    }

    @Override
    public void awaitRoom() {
        backpressure.awaitRoom();
    }

    @Override
    public void begin(RemoteScan scan) {
        fetches.open(scan);
    }

    @Override
    public void grant(RemoteScan scan, long iterations) {
        if (scan.number() != 0) {
            outbox.add(new ToRuntime.GrantEmissions(scan.number(), iterations), true);
        }
    }

    @Override
    public void cancel(RemoteScan scan) {
        if (!termination.isOver() && scan.number() != 0) {
            outbox.add(new ToRuntime.CancelScan(scan.number()), true);
        }
    }
}
