package dev.outpost.runtime.engine;

/** Kernels and exchanges that are ready to run as one. The group is launched or cancelled, once. */
public interface PreparedLaunchGroup {
    /** Appends the whole group to the queue. The completion is done when all of it has run. */
    Completion launch();

    /** Cancels the group before any part of it has run. */
    void cancel();
}
