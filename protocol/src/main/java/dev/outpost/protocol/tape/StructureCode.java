package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.types.MalformedException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The encoded structure of a segment. It has the content of the graph's {@link dev.outpost.protocol.ir.Structure}, which is decoded
 * when the types of the inputs are known.
 */
public final class StructureCode {
    /** The maximum number of instructions of a received segment. Clients send fewer. */
    public static final int MAX_INSTRUCTIONS = 1 << 16;

    private final byte[] bytes;
    private final int instructionCount;
    private final int inputCount;
    private final int resultCount;
    private final byte[] instructions;
    private final boolean[] dying;
    private final boolean[] kept;
    private final int outputCount;

    private StructureCode(byte[] bytes) {
        this.bytes = bytes;
        ByteReader in = new ByteReader(bytes);
        instructionCount = bounded("instruction count", in.varint());
        inputCount = bounded("input count", in.varint());
        resultCount = bounded("result count", in.varint());
        instructions = in.block();
        dying = in.flags(inputCount);
        kept = in.flags(resultCount);
        in.expectEnd("structure");
        outputCount = (int)
                IntStream.range(0, resultCount).filter(result -> kept[result]).count();
    }

    static StructureCode read(byte[] bytes) {
        return new StructureCode(bytes);
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

    /** Returns the number of inputs and results together. */
    int valueCount() {
        return inputCount + resultCount;
    }

    /** Returns the number of results that outlive the segment. */
    public int outputCount() {
        return outputCount;
    }

    int byteCount() {
        return bytes.length;
    }

    byte[] instructions() {
        return instructions;
    }

    /** Calls with the number of each value that is not used after the segment. */
    void forEachDropped(IntConsumer drop) {
        for (int input = 0; input < inputCount; input++) {
            if (dying[input]) {
                drop.accept(input);
            }
        }
        for (int result = 0; result < resultCount; result++) {
            if (!kept[result]) {
                drop.accept(inputCount + result);
            }
        }
    }
}
