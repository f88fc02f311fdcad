package dev.outpost.runtime.cuda.check;

import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.types.TensorType;

/** Segments of a few instructions. */
final class OpGraphs {
    private static final int FIRST_RESULT = 100;

    private OpGraphs() {}

    /** One instruction of inputs of these types. */
    static Graph of(Op op, TensorType... types) {
        SegmentWriter writer = new SegmentWriter();
        for (int input = 0; input < types.length; input++) {
            writer.addInput(input + 1L);
        }
        writer.begin(op, types.length);
        for (int input = 0; input < types.length; input++) {
            writer.input(input);
        }
        writer.finish(op, FIRST_RESULT, op.infer(types).length);
        return Graph.read(Segment.read(writer.toByteArray()), types);
    }

    /** Ops of one operand, each of what the one before computes. */
    static Graph chain(TensorType type, Op... ops) {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(1);
        for (int place = 0; place < ops.length; place++) {
            writer.begin(ops[place], 1);
            if (place == 0) {
                writer.input(0);
            } else {
                writer.result(place - 1);
            }
            writer.finish(ops[place], FIRST_RESULT + place, 1);
        }
        return Graph.read(Segment.read(writer.toByteArray()), new TensorType[] {type});
    }
}
