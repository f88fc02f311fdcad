package dev.outpost.client.program;

/** Finds the {@link HostState} of a thread. */
public final class HostStates {
    private HostStates() {}

    /** The host state of the code that this thread runs: that of the program which it traces, or that of plain code. */
    public static HostState ofThread() {
        ProgramRecorder tracing = ProgramRecorder.ofThread();
        return tracing == null ? EagerState.INSTANCE : tracing.state();
    }
}
