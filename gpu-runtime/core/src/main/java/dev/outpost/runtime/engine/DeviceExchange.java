package dev.outpost.runtime.engine;

/** An exchange between devices that is ready: it is started and then finished, or cancelled. */
public interface DeviceExchange {
    /**
     * Appends it to what the device exchanges. All members start their exchanges in one order. The answer is done when all has been
     * exchanged.
     */
    Completion start();

    /** Called once that is done. The answer is done when the elements lie where the result has them. */
    Completion finish();

    /** It is not started, or not finished; called in place of those. */
    void cancel();
}
