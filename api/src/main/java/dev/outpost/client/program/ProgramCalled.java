package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;

/**
 * A call of a program that was recorded.
 *
 * @param inputs the values that went in
 * @param outputs what its bound outputs are, each to be abandoned once
 * @param rest what the caller runs once it has bound the outputs; may wait
 */
public record ProgramCalled(RemoteValue[] inputs, RemoteValue[] outputs, Runnable rest) {
    private static final Runnable NOTHING = () -> {};

    /** A call that the machine runs by itself. */
    ProgramCalled(RemoteValue[] inputs, RemoteValue[] outputs) {
        this(inputs, outputs, NOTHING);
    }

    /** The bound output or the input that a number of {@link ProgramRun#replacements} names. */
    public RemoteValue named(int reference) {
        return ProgramRun.named(reference, outputs, inputs);
    }
}
