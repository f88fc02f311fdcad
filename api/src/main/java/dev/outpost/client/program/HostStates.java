package dev.outpost.client.program;

/** Finds the {@link HostState} of a thread. */
public final class HostStates {
    private HostStates() {}

    /**
     * Returns the host state of the calling thread: the state of the program that it traces, or else the state of
     * plain code.
     */
    public static HostState ofThread() {
        ProgramRecorder tracing = ProgramRecorder.ofThread();
        return tracing == null ? EagerState.INSTANCE : tracing.state();
    }
}
