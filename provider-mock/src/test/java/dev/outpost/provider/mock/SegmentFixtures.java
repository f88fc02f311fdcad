package dev.outpost.provider.mock;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The few segments that these tests send. */
final class SegmentFixtures {
    private SegmentFixtures() {}

    static Message full(long id, long value, long size) {
        SegmentWriter writer = new SegmentWriter();
        Fill fill = new Fill(Shape.of(size), Scalar.of(DType.INT64, value));
        writer.begin(fill, 0);
        writer.finish(fill, id, 1);
        return new ToRuntime.RunSegment(writer.toByteArray());
    }

    /** Computes twice a value plus a number, and frees the value; repeating or reordering it would change the result. */
    static Message doubleAndAdd(long id, long from, long number) {
        SegmentWriter writer = new SegmentWriter();
        int input = writer.addInput(from);
        writer.dropInput(input);
        writer.begin(Binary.MUL, 2);
        writer.input(input);
        writer.immediate(Scalar.of(DType.INT64, 2));
        int doubled = writer.finish(Binary.MUL, id + 1_000_000, 1);
        writer.drop(doubled);
        writer.begin(Binary.ADD, 2);
        writer.result(doubled);
        writer.immediate(Scalar.of(DType.INT64, number));
        writer.finish(Binary.ADD, id, 1);
        return new ToRuntime.RunSegment(writer.toByteArray());
    }

    static Message upload(long id, long number, long size) {
        SegmentWriter writer = new SegmentWriter();
        Upload upload = new Upload(new TensorType(DType.INT64, Shape.of(size)), number);
        writer.begin(upload, 0);
        writer.finish(upload, id, 1);
        return new ToRuntime.RunSegment(writer.toByteArray());
    }
}
