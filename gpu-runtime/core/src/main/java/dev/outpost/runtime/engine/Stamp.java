package dev.outpost.runtime.engine;

/** A point in the queue of a device, with the time at which the device passed it. */
public interface Stamp {
    /**
     * Returns the time at which the device passed this point, in nanoseconds of a clock with an arbitrary origin. Defined after a later
     * {@link Fence} is done.
     */
    long nanos();
}
