package dev.outpost.runtime.onnx;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Ends a run that was cancelled. A model may have endless loops, and kernels that never check for cancellation. */
final class StopWatcher implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    /** The number of checks between telling a run to stop and ending it forcibly. */
    private static final int MAX_LOOKS_MORE = 100;

    private final BooleanSupplier isStopped;
    private final Runnable stop;
    private final Runnable end;
    private final ModelTimer.Watch looking;
    private int looksMore;
    private boolean isClosed;

    private StopWatcher(BooleanSupplier isStopped, Runnable stop, Runnable end) {
        this.isStopped = isStopped;
        this.stop = stop;
        this.end = end;
        this.looking = ModelTimer.every(LOOK, this::poll);
    }

    /**
     * Watches until it is closed.
     *
     * @param isStopped true if the run was cancelled
     * @param stop stops the run; called once
     * @param end ends the run forcibly if it has not stopped after five seconds
     */
    static StopWatcher start(BooleanSupplier isStopped, Runnable stop, Runnable end) {
        return new StopWatcher(isStopped, stop, end);
    }

    private synchronized void poll() {
        if (isClosed || !isStopped.getAsBoolean()) {
            return;
        }
        looksMore++;
        if (looksMore == 1) {
            stop.run();
        } else if (looksMore == MAX_LOOKS_MORE) {
            end.run();
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        looking.close();
    }
}
