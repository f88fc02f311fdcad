package dev.outpost.client.program;

/**
 * Takes calls of programs, in the order of recording. Its methods are called under the lock of the recording, so they must not
 * block.
 */
public interface ProgramDelivery {
    /** Ensures that the machine has a program; its {@linkplain #call call} comes next. */
    void define(RemoteProgram program);

    /**
     * Has the machine run a program that it has.
     *
     * @param consumed by input, true if nothing holds it any more
     * @param scan null for a plain call
     * @param bytes what the outputs take
     */
    void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes);

    /** The machine need not keep the program any more. */
    void drop(RemoteProgram program);
}
