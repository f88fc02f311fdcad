package dev.outpost.runtime.engine;

/** A prepared exchange between devices. It is either started and then finished, or cancelled. */
public interface DeviceExchange {
    /**
     * Appends the exchange to the device's queue of exchanges. All members start their exchanges in the same order. The completion is
     * done when the data has been exchanged.
     */
    Completion start();

    /**
     * Moves the elements to the result. Called after the completion of {@link #start}. The returned completion is done when the elements
     * are in the result.
     */
    Completion finish();

    /** Cancels the exchange. Called in place of {@link #start} or {@link #finish}. */
    void cancel();
}
