package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.tape.ProgramCode;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Records segments by value ids, as a client would. An op with several results also defines the next ids. */
final class SegmentBuilder {
    private final SegmentWriter writer = new SegmentWriter();
    private final Map<Long, Integer> results = new HashMap<>();
    private final Map<Long, Integer> inputs = new HashMap<>();

    boolean computes(long id) {
        return results.containsKey(id);
    }

    SegmentBuilder full(long id, double value, long... sizes) {
        return add(new Fill(Shape.of(sizes), Scalar.of(DType.FLOAT32, value)), id);
    }

    SegmentBuilder floats(long id, float... elements) {
        return add(new Literal(new TensorType(DType.FLOAT32, Shape.of(elements.length)), bytes(elements)), id);
    }

    SegmentBuilder longs(long id, long... elements) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * elements.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(elements);
        return add(new Literal(new TensorType(DType.INT64, Shape.of(elements.length)), bytes.array()), id);
    }

    SegmentBuilder upload(long id, long number, DType dtype, long... sizes) {
        return add(new Upload(new TensorType(dtype, Shape.of(sizes)), number), id);
    }

    SegmentBuilder neg(long id, long operand) {
        return add(Unary.NEG, id, operand);
    }

    SegmentBuilder plus(long id, long left, long right) {
        return add(Binary.ADD, id, left, right);
    }

    SegmentBuilder plusNumber(long id, long left, double number) {
        prepare(left);
        writer.begin(Binary.ADD, 2);
        operand(left);
        writer.immediate(Scalar.of(DType.FLOAT32, number));
        return finish(Binary.ADD, id);
    }

    SegmentBuilder view(long id, long operand, long[] sizes, long[] strides, long offset) {
        return add(new AsStrided(Layout.of(Shape.of(sizes), strides, offset)), id, operand);
    }

    SegmentBuilder select(long id, long operand, long index) {
        return add(new IndexSelect(0), id, operand, index);
    }

    /** Adds an op as {@link #add(Op, long, long...)} does, with numbers among the operands. */
    SegmentBuilder add(Op op, long id, List<?> operands) {
        operands.forEach(operand -> {
            if (operand instanceof Long value) {
                prepare(value);
            }
        });
        writer.begin(op, operands.size());
        operands.forEach(operand -> {
            if (operand instanceof Long value) {
                operand(value);
            } else {
                writer.immediate((Scalar) operand);
            }
        });
        return finish(op, id);
    }

    SegmentBuilder add(Op op, long id, long... operands) {
        for (long operand : operands) {
            prepare(operand);
        }
        writer.begin(op, operands.length);
        for (long operand : operands) {
            operand(operand);
        }
        return finish(op, id);
    }

    /** Guards one gradient and one state: the ids from {@code id} on are the guarded gradient, the guarded state and its kept value. */
    SegmentBuilder guard(long id, long update, long gradient, long state) {
        prepare(gradient);
        prepare(state);
        UpdateGuard guard = new UpdateGuard(1, update);
        writer.begin(guard, 2);
        operand(gradient);
        operand(state);
        return finish(guard, id, 3);
    }

    SegmentBuilder commit(long id, long kept, long changed) {
        return add(new UpdateCommit(), id, kept, changed);
    }

    SegmentBuilder source(String line) {
        writer.source(line);
        return this;
    }

    /** Marks a value as unused after this segment. */
    SegmentBuilder drop(long id) {
        prepare(id);
        if (results.containsKey(id)) {
            writer.drop(results.get(id));
        } else {
            writer.dropInput(inputs.get(id));
        }
        return this;
    }

    Message remember(int slot) {
        return new ToRuntime.RememberSegment(slot, toByteArray());
    }

    /** Returns the recorded segment as a repeat of the slot's segment, which has the same structure. */
    Message repeat(int slot, SegmentBuilder before) {
        assertArrayEquals(before.writer.structure(), writer.structure());
        return new ToRuntime.RepeatSegment(slot, writer.particulars().since(before.writer.particulars()));
    }

    /** Returns the recorded segment as a program, which has no ids. */
    Message define(int slot, ProgramSignature signature) {
        return new ToRuntime.DefineProgram(slot, ProgramCode.write(writer, signature));
    }

    byte[] toByteArray() {
        return writer.toByteArray();
    }

    static byte[] bytes(float... elements) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * elements.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(elements);
        return bytes.array();
    }

    private void prepare(long operand) {
        if (!results.containsKey(operand) && !inputs.containsKey(operand)) {
            inputs.put(operand, writer.addInput(operand));
        }
    }

    private void operand(long id) {
        if (results.containsKey(id)) {
            writer.result(results.get(id));
        } else {
            writer.input(inputs.get(id));
        }
    }

    private SegmentBuilder finish(Op op, long id) {
        return finish(op, id, op instanceof Sort ? 2 : 1);
    }

    private SegmentBuilder finish(Op op, long id, int count) {
        int first = writer.finish(op, id, count);
        for (int result = 0; result < count; result++) {
            results.put(id + result, first + result);
        }
        return this;
    }
}
