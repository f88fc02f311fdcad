package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.fault.MalformedException;
import java.util.Arrays;

/** The part of a segment that a plan depends on. Equal bytes are equal structures. */
public final class Structure {
    /** More instructions than a client puts into one segment; a bound for what comes over the wire. */
    public static final int MAX_INSTRUCTIONS = 1 << 16;

    private final byte[] bytes;
    private final int instructionCount;
    private final int inputCount;
    private final int resultCount;
    private final byte[] instructions;
    private final boolean[] dying;
    private final boolean[] kept;
    private final int outputCount;
    private final int hash;

    private Structure(byte[] bytes) {
        this.bytes = bytes;
        ByteReader in = new ByteReader(bytes);
        instructionCount = bounded("instruction count", in.varint());
        inputCount = bounded("input count", in.varint());
        resultCount = bounded("result count", in.varint());
        instructions = in.block();
        dying = in.flags(inputCount);
        kept = in.flags(resultCount);
        in.expectEnd("structure");
        outputCount = count(kept);
        hash = Arrays.hashCode(bytes);
    }

    static Structure read(byte[] bytes) {
        return new Structure(bytes);
    }

    private static int bounded(String what, long value) {
        if (value < 0 || value > 2L * MAX_INSTRUCTIONS) {
            throw new MalformedException(what + " is out of range: " + value);
        }
        return (int) value;
    }

    public int instructionCount() {
        return instructionCount;
    }

    public int inputCount() {
        return inputCount;
    }

    public int resultCount() {
        return resultCount;
    }

    private static int count(boolean[] flags) {
        int count = 0;
        for (boolean flag : flags) {
            count += flag ? 1 : 0;
        }
        return count;
    }

    /** How many results outlive the segment. */
    public int outputCount() {
        return outputCount;
    }

    int byteCount() {
        return bytes.length;
    }

    byte[] instructions() {
        return instructions;
    }

    /** Whether an input is not asked for again after the segment. */
    public boolean isDying(int input) {
        return dying[input];
    }

    /** Whether a result outlives the segment. */
    public boolean isKept(int result) {
        return kept[result];
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Structure structure && Arrays.equals(bytes, structure.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
