package dev.outpost.client.program;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueHandle;

/**
 * The arguments of a program's call.
 *
 * @param program the program
 * @param inputs a handle for each input except the number of the run; the call uses the value that it holds when the
 * call is recorded
 * @param iterations the number of runs
 * @param numbers for each column, the bits of its number in each run; the last one also serves all later runs
 * @param seed the seed of the random stream
 * @param firstDraw the index of the first draw in the stream
 * @param replaced handles that hold another value after the call
 * @param replacements for each replaced handle, the index of a bound output, or a negative number for an input
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

    /** Returns the value that a number of {@link #replacements} stands for: a bound output or an input. */
    public static RemoteValue named(int reference, RemoteValue[] outputs, RemoteValue[] inputs) {
        return reference >= 0 ? outputs[reference] : inputs[-1 - reference];
    }
}
