package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.DeltaEncoding;

/** The parts of a segment, so that a test can write a wrong part with correct lengths around it. */
final class Parts {
    long instructionCount;
    long inputCount;
    long resultCount;
    byte[] instructions;
    byte[] flags;
    byte[] data;
    byte[] rest;

    static Parts of(byte[] bytes) {
        ByteReader segment = new ByteReader(bytes);
        ByteReader structure = new ByteReader(segment.block());
        Parts parts = new Parts();
        parts.instructionCount = structure.varint();
        parts.inputCount = structure.varint();
        parts.resultCount = structure.varint();
        parts.instructions = structure.block();
        parts.flags = structure.bytes(structure.remaining());
        parts.data = segment.block();
        parts.rest = segment.bytes(segment.remaining());
        return parts;
    }

    /** One instruction with one result, which is kept, over one input. */
    static Parts ofOne(ByteWriter instruction, byte[] data) {
        Parts parts = new Parts();
        parts.instructionCount = 1;
        parts.inputCount = 1;
        parts.resultCount = 1;
        parts.instructions = instruction.toByteArray();
        parts.flags = new byte[] {0, 1};
        parts.data = data;
        parts.rest = rest(0);
        return parts;
    }

    /** Ids 1 and 2, and the count of source lines. */
    static byte[] rest(int sources) {
        ByteWriter rest = new ByteWriter();
        DeltaEncoding.write(rest, new long[] {1, 2});
        rest.varint(sources);
        return rest.toByteArray();
    }

    void set(String count, long value) {
        instructionCount = count.equals("instruction") ? value : 1;
        inputCount = count.equals("input") ? value : 1;
        resultCount = count.equals("result") ? value : 1;
    }

    byte[] toByteArray() {
        ByteWriter structure = new ByteWriter();
        structure.varint(instructionCount);
        structure.varint(inputCount);
        structure.varint(resultCount);
        structure.block(instructions);
        structure.bytes(flags);
        ByteWriter segment = new ByteWriter();
        segment.block(structure);
        segment.block(data);
        segment.bytes(rest);
        return segment.toByteArray();
    }
}
