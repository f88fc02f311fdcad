package dev.outpost.runtime.engine;

/** A place among what a device was asked to do, and the time when the device came past it. */
public interface Stamp {
    /**
     * When the device came past, in nanoseconds of a clock of its own that began at some time. Defined once a {@link Fence} that
     * was set behind it is done.
     */
    long nanos();
}
