package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import java.util.stream.LongStream;

/**
 * A program as it is sent once: a segment and its signature. The ids in the segment have no meaning, since each call binds its own.
 *
 * @param segment the instructions; every input dies with a run, because the run owns its inputs
 * @param signature the parts that differ from run to run
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

    /** Reads a program; the counterpart of {@link #write}. Throws {@code MalformedException} if the parts do not fit. */
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

    /** Returns the number of values of the session that a call takes. */
    public int inputs() {
        return signature.boundInputs(segment.structure().inputCount());
    }
}
