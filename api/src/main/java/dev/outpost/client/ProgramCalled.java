package dev.outpost.client;

/**
 * A call of a program that was recorded.
 *
 * @param inputs the values that went in
 * @param outputs what its bound outputs are, each to be abandoned once
 */
public record ProgramCalled(RemoteValue[] inputs, RemoteValue[] outputs) {
    /** The bound output or the input that a number of {@link ProgramRun#replacements} names. */
    public RemoteValue named(int reference) {
        return ProgramRun.named(reference, outputs, inputs);
    }
}
