package dev.outpost.runtime.engine;

/** Kernels and exchanges that are ready to run as one. It is launched or cancelled, once. */
public interface PreparedLaunchGroup {
    /** Appends all of it. The answer is done when all of it has run. */
    Completion launch();

    /** It will not be launched; nothing has happened. */
    void cancel();
}
