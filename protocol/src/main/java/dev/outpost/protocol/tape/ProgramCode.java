package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import java.util.stream.LongStream;

/**
 * A program as it is sent once: a segment whose ids mean nothing, since each call binds its own, and its signature.
 *
 * @param segment the instructions; every input dies with a run, which holds it by an owner of its own
 * @param signature what differs from run to run
 */
public record ProgramCode(Segment segment, ProgramSignature signature) {

    public static byte[] write(SegmentWriter instructions, ProgramSignature signature) {
        SegmentArguments recorded = instructions.particulars();
        int inputs = recorded.inputs().length;
        int outputs = recorded.outputs().length;
        SegmentArguments anonymous = new SegmentArguments(
                recorded.data(),
                LongStream.rangeClosed(1, inputs).toArray(),
                LongStream.rangeClosed(inputs + 1L, inputs + (long) outputs).toArray(),
                recorded.sources());
        ByteWriter out = new ByteWriter(1024);
        out.block(Segment.write(instructions.structure(), anonymous));
        signature.write(out);
        return out.toByteArray();
    }

    /** The counterpart of {@link #write}; anything that does not fit is a {@code MalformedException}. */
    public static ProgramCode read(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Segment segment = Segment.read(in.block());
        ProgramSignature signature = ProgramSignature.read(in, segment.structure());
        in.expectEnd("program");
        return new ProgramCode(segment, signature);
    }

    public int instructions() {
        return segment.structure().instructionCount();
    }

    /** How many values of the session a call takes. */
    public int inputs() {
        return signature.boundInputs(segment.structure().inputCount());
    }
}
