package dev.outpost.runtime.engine;

/** An exchange between devices that is ready. Either is called, once. */
public interface DeviceExchange {
    /** Appends it to the device's work. All members start their exchanges in one order. The answer is done when the result is there. */
    Completion start();

    /** It is not started, on any member. */
    void cancel();
}
