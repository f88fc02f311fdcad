package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.DeltaEncoding;
import dev.outpost.types.MalformedException;
import java.util.Arrays;

/**
 * The arguments of one call of a program. On the wire, a call contains only the changes since the call before: most
 * ids grow by the same amount from call to call. The arrays are never changed.
 *
 * @param iterations the number of runs, 1 or more
 * @param inputs the ids of the input values, without the iteration number; some may be equal
 * @param consumed true for each input that is not used again
 * @param outputs the ids for the bound outputs of the last run
 * @param seed the seed of the random stream
 * @param firstDraw the index of the first draw in the stream
 * @param numbers for each column, the bits of its number in each run; the last one is used for all further runs
 * @param firstFetch the number of the fetch that the first emission answers; each further emission takes the next number
 * @param granted the number of runs that may send their emissions before more are granted
 */
public record ProgramCall(
        long iterations,
        long[] inputs,
        boolean[] consumed,
        long[] outputs,
        long seed,
        long firstDraw,
        long[][] numbers,
        long firstFetch,
        long granted) {

    /** Returns the call before the first one, as the base of its changes. */
    public static ProgramCall none(int inputs, ProgramSignature signature) {
        return new ProgramCall(
                0,
                new long[inputs],
                new boolean[inputs],
                new long[signature.bound().length],
                0,
                0,
                new long[0][],
                0,
                0);
    }

    /** Encodes this call as the changes since an earlier call, which the receiver knows. */
    public byte[] since(ProgramCall before, ProgramSignature signature) {
        ByteWriter out = new ByteWriter();
        out.varint(iterations);
        DeltaEncoding.write(out, distances(before));
        out.flags(words(consumed), consumed.length);
        if (signature.draws().length > 0) {
            out.zigzag(seed - before.seed);
            out.zigzag(firstDraw - before.firstDraw);
        }
        for (long[] column : numbers) {
            out.varint(column.length);
            for (long bits : column) {
                out.fixed64(bits);
            }
        }
        if (signature.emitted().length > 0) {
            out.varint(firstFetch);
            out.varint(granted);
        }
        return out.toByteArray();
    }

    /** Decodes the call after this one; the counterpart of {@link #since}. */
    public ProgramCall next(byte[] bytes, ProgramSignature signature) {
        ByteReader in = new ByteReader(bytes);
        long newIterations = in.varint();
        if (newIterations < 1) {
            throw new MalformedException("a program runs at least once, got " + newIterations);
        }
        long[] ids = DeltaEncoding.read(in, inputs.length + outputs.length);
        long[] newInputs = new long[inputs.length];
        long[] newOutputs = new long[outputs.length];
        for (int index = 0; index < inputs.length; index++) {
            newInputs[index] = positive(inputs[index] + ids[index]);
        }
        for (int index = 0; index < outputs.length; index++) {
            newOutputs[index] = positive(outputs[index] + ids[inputs.length + index]);
        }
        requireDistinct(newOutputs);
        boolean[] newConsumed = in.flags(inputs.length);
        boolean draws = signature.draws().length > 0;
        long newSeed = draws ? seed + in.zigzag() : 0;
        long newDraw = draws ? firstDraw + in.zigzag() : 0;
        long[][] columns = readNumbers(in, signature.columns());
        boolean emits = signature.emitted().length > 0;
        long fetch = emits ? in.varint() : 0;
        long grant = emits ? in.varint() : 0;
        in.expectEnd("call");
        return new ProgramCall(
                newIterations, newInputs, newConsumed, newOutputs, newSeed, newDraw, columns, fetch, grant);
    }

    /** Returns this call as the base of the next one, without the numbers, which each call sends. */
    public ProgramCall withoutNumbers() {
        return new ProgramCall(
                iterations, inputs, consumed, outputs, seed, firstDraw, new long[0][], firstFetch, granted);
    }

    /** Returns the number of a column in one run. */
    public long number(int column, long iteration) {
        long[] values = numbers[column];
        return values[(int) Math.min(iteration, values.length - 1)];
    }

    private long[] distances(ProgramCall before) {
        long[] distances = new long[inputs.length + outputs.length];
        for (int index = 0; index < inputs.length; index++) {
            distances[index] = inputs[index] - before.inputs[index];
        }
        for (int index = 0; index < outputs.length; index++) {
            distances[inputs.length + index] = outputs[index] - before.outputs[index];
        }
        return distances;
    }

    private static long[][] readNumbers(ByteReader in, int columns) {
        long[][] numbers = new long[columns][];
        for (int column = 0; column < columns; column++) {
            numbers[column] = new long[in.count("numbers", Long.BYTES)];
            if (numbers[column].length == 0) {
                throw new MalformedException("a number of a program has no value");
            }
            for (int index = 0; index < numbers[column].length; index++) {
                numbers[column][index] = in.fixed64();
            }
        }
        return numbers;
    }

    private static long positive(long id) {
        if (id <= 0) {
            throw new MalformedException("value ids are positive, got " + id);
        }
        return id;
    }

    private static void requireDistinct(long[] ids) {
        long[] ascending = ids.clone();
        Arrays.sort(ascending);
        for (int index = 1; index < ascending.length; index++) {
            if (ascending[index] == ascending[index - 1]) {
                throw new MalformedException("value %" + ascending[index] + " is bound twice");
            }
        }
    }

    private static long[] words(boolean[] flags) {
        long[] words = new long[(flags.length >>> 6) + 1];
        for (int index = 0; index < flags.length; index++) {
            words[index >>> 6] |= flags[index] ? 1L << (index & 63) : 0;
        }
        return words;
    }
}
