package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.fault.MalformedException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** A segment as it came off the wire, cut into its parts; {@link Graph} reads the structure. */
public final class Segment {
    private final Structure structure;
    private final byte[] data;
    private final long[] inputs;
    private final long[] outputs;
    private final String[] sources;

    private Segment(Structure structure, byte[] data, long[] inputs, long[] outputs, String[] sources) {
        this.structure = structure;
        this.data = data;
        this.inputs = inputs;
        this.outputs = outputs;
        this.sources = sources;
    }

    /** Reads a whole segment; anything that does not fit is a {@link MalformedException}. */
    public static Segment read(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Structure structure = Structure.read(in.block());
        byte[] data = in.block();
        long[] inputs = new long[structure.inputCount()];
        long expected = readIds(in, inputs, 0);
        long[] outputs = new long[structure.outputCount()];
        readIds(in, outputs, expected);
        requireDistinct(inputs, outputs);
        String[] sources = readSources(in, structure.instructionCount());
        in.expectEnd("segment");
        return new Segment(structure, data, inputs, outputs, sources);
    }

    public Structure structure() {
        return structure;
    }

    /** The bytes of the data attributes and immediates, in the order of the instructions. */
    public byte[] data() {
        return data;
    }

    /** The ids of the values that go in, by input index. */
    public long[] inputs() {
        return inputs;
    }

    /** The ids of the results that outlive the segment, in the order in which they are computed. */
    public long[] outputs() {
        return outputs;
    }

    /** The user's line that recorded an instruction, or an empty string. */
    public String source(int instruction) {
        return sources == null || sources[instruction] == null ? "" : sources[instruction];
    }

    private static long readIds(ByteReader in, long[] ids, long firstExpected) {
        long expected = firstExpected;
        for (int index = 0; index < ids.length; index++) {
            ids[index] = expected + in.zigzag();
            if (ids[index] <= 0) {
                throw new MalformedException("value ids are positive, got " + ids[index]);
            }
            expected = ids[index] + 1;
        }
        return expected;
    }

    private static void requireDistinct(long[] inputs, long[] outputs) {
        Set<Long> seen = new HashSet<>();
        Arrays.stream(inputs).forEach(id -> requireNew(seen, id));
        Arrays.stream(outputs).forEach(id -> requireNew(seen, id));
    }

    private static void requireNew(Set<Long> seen, long id) {
        if (!seen.add(id)) {
            throw new MalformedException("value %" + id + " is bound twice");
        }
    }

    private static String[] readSources(ByteReader in, int instructions) {
        int count = in.count("source count", 2);
        if (count == 0) {
            return null;
        }
        String[] sources = new String[instructions];
        for (int index = 0; index < count; index++) {
            int instruction = in.smallInt("source position");
            if (instruction >= instructions) {
                throw new MalformedException("a source line names instruction " + instruction + " of " + instructions);
            }
            sources[instruction] = in.string();
        }
        return sources;
    }
}
