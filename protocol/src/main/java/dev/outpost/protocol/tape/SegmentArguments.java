package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteDiff;
import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.DeltaEncoding;
import dev.outpost.types.MalformedException;
import java.util.Arrays;

/**
 * The data, bindings and source lines of a segment, which may differ from one run of a structure to the next. They are written in full, or
 * as the changes since an earlier run. From one step of a loop to the next, most data stay the same, and most ids grow by the same amount.
 * The arrays are never changed.
 *
 * @param data the bytes of the data attributes and immediates
 * @param inputs the ids of the input values
 * @param outputs the ids of the results that outlive the segment
 * @param sources the number of source lines, then the instruction and text of each
 */
public record SegmentArguments(byte[] data, long[] inputs, long[] outputs, byte[] sources) {
    static SegmentArguments read(ByteReader in, StructureCode structure) {
        byte[] data = in.block();
        long[] ids = DeltaEncoding.read(in, structure.inputCount() + structure.outputCount());
        return of(data, ids, structure.inputCount(), in.bytes(in.remaining()));
    }

    void write(ByteWriter out) {
        out.block(data);
        DeltaEncoding.write(out, ids());
        out.bytes(sources);
    }

    /** Encodes these arguments as the changes since an earlier run, which the receiver knows. */
    public byte[] since(SegmentArguments before) {
        ByteWriter out = new ByteWriter();
        long[] distances = ids();
        long[] earlier = before.ids();
        for (int index = 0; index < distances.length; index++) {
            distances[index] -= earlier[index];
        }
        ByteDiff.write(out, before.data, data);
        DeltaEncoding.write(out, distances);
        ByteDiff.write(out, before.sources, sources);
        return out.toByteArray();
    }

    /** Decodes the arguments of the run after this one; the counterpart of {@link #since}. */
    SegmentArguments next(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        byte[] newData = ByteDiff.read(in, data, Slots.MAX_BYTES);
        long[] ids = DeltaEncoding.read(in, inputs.length + outputs.length);
        long[] earlier = ids();
        for (int index = 0; index < ids.length; index++) {
            ids[index] += earlier[index];
        }
        byte[] newSources = ByteDiff.read(in, sources, Slots.MAX_BYTES);
        in.expectEnd("segment");
        return of(newData, ids, inputs.length, newSources);
    }

    private static SegmentArguments of(byte[] data, long[] ids, int inputCount, byte[] sources) {
        requirePositiveAndDistinct(ids);
        long[] inputs = Arrays.copyOf(ids, inputCount);
        return new SegmentArguments(data, inputs, Arrays.copyOfRange(ids, inputCount, ids.length), sources);
    }

    private static void requirePositiveAndDistinct(long[] ids) {
        long[] ascending = ids.clone();
        Arrays.sort(ascending);
        for (int index = 0; index < ascending.length; index++) {
            if (ascending[index] <= 0) {
                throw new MalformedException("value ids are positive, got " + ascending[index]);
            }
            if (index > 0 && ascending[index] == ascending[index - 1]) {
                throw new MalformedException("value %" + ascending[index] + " is bound twice");
            }
        }
    }

    /** Returns the number of bytes that the arguments take in memory. */
    int bytes() {
        return data.length + sources.length + Long.BYTES * (inputs.length + outputs.length);
    }

    private long[] ids() {
        long[] ids = Arrays.copyOf(inputs, inputs.length + outputs.length);
        System.arraycopy(outputs, 0, ids, inputs.length, outputs.length);
        return ids;
    }
}
