package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueHandle;

/**
 * The arguments of a program's call.
 *
 * @param program the program
 * @param inputs a handle for each input but that of the iteration; what it holds when the call is recorded goes in
 * @param iterations how often it runs
 * @param numbers for each column the bits of its number in each run; the last stands for all that follow
 * @param seed of the random stream
 * @param firstDraw which draw of the stream comes first
 * @param replaced handles that hold something else after the call
 * @param replacements for each of them a bound output, or, as -1 and below, an input
 */
public record ProgramRun(
        RemoteProgram program,
        ValueHandle[] inputs,
        long iterations,
        long[][] numbers,
        long seed,
        long firstDraw,
        ValueHandle[] replaced,
        int[] replacements) {

    /** The bound output or the input that a number of {@link #replacements} names. */
    public static RemoteValue named(int reference, RemoteValue[] outputs, RemoteValue[] inputs) {
        return reference >= 0 ? outputs[reference] : inputs[-1 - reference];
    }
}
