package dev.outpost.runtime.onnx;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Ends a run that need not go on: a model may have loops that never end, and kernels that hear of nothing. */
final class StopWatcher implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(50);
    /** From when a run is told to stop until it is made to. */
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
     * Looks until it is closed.
     *
     * @param isStopped whether the run need not go on
     * @param stop tells the run, once
     * @param end ends the run where it has not heard of that for five seconds
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
