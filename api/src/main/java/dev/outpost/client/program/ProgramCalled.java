package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;

/**
 * A recorded call of a program.
 *
 * @param inputs the input values
 * @param outputs the values of the bound outputs; each must be abandoned once
 * @param rest the caller runs this after it has bound the outputs; it may wait
 */
public record ProgramCalled(RemoteValue[] inputs, RemoteValue[] outputs, Runnable rest) {
    private static final Runnable NOTHING = () -> {};

    /** A call that needs no more steps of the client. */
    ProgramCalled(RemoteValue[] inputs, RemoteValue[] outputs) {
        this(inputs, outputs, NOTHING);
    }

    /** Returns the value that a number of {@link ProgramRun#replacements} stands for: a bound output or an input. */
    public RemoteValue named(int reference) {
        return ProgramRun.named(reference, outputs, inputs);
    }
}
