package dev.outpost.client.program;

/**
 * Delivers calls of programs, in the order of recording. Its methods are called under the lock of the recording, so they must not block.
 */
public interface ProgramDelivery {
    /** Ensures that the machine has a program; its {@linkplain #call call} comes next. */
    void define(RemoteProgram program);

    /**
     * Makes the machine run a program that it has.
     *
     * @param consumed for each input, true if nothing holds its value
     * @param scan null for a plain call
     * @param bytes the size of the outputs
     */
    void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes);

    /** Tells the machine that it need not keep the program. */
    void drop(RemoteProgram program);
}
