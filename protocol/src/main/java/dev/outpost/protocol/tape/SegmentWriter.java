package dev.outpost.protocol.tape;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.op.AttributeWriter;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import java.util.Arrays;

/**
 * Writes a segment: a graph of instructions in the order in which they were recorded.
 *
 * <p>The bytes have three parts. <i>Structure</i> is everything that a plan depends on: op codes, operands,
 * structural attributes, the results that outlive the segment, and the inputs that die with it. <i>Data</i> is the
 * numbers that kernels receive.
 * <i>Bindings</i> name
 * the session's input and output values. Two segments with equal structure and equal types of inputs have the same
 * plan. Their data and bindings, the {@link SegmentArguments}, may differ.
 *
 * <p>Operands are written relative to the instruction: a result by its distance back, an input by its index. So equal graphs have equal
 * bytes. Not thread-safe.
 */
public final class SegmentWriter implements RecordedGraph.OperandVisitor {
    /** The two low bits of an operand. */
    static final int RESULT = 0;

    static final int INPUT = 1;
    static final int IMMEDIATE = 2;

    private final ByteWriter instructions = new ByteWriter(1024);
    private final ByteWriter data = new ByteWriter(256);
    private final ByteWriter sources = new ByteWriter(16);
    private final AttributeWriter attributes = new AttributeWriter(instructions, data);
    private int instructionCount;
    private int sourceCount;
    private long[] inputs = new long[16];
    private int inputCount;
    private long[] dying = new long[1];
    private long[] results = new long[64];
    private int resultCount;
    private long[] kept = new long[1];

    /** Writes a recorded graph. */
    public static SegmentWriter of(RecordedGraph graph) {
        SegmentWriter writer = new SegmentWriter();
        long[] inputs = graph.inputs();
        for (int input = 0; input < inputs.length; input++) {
            writer.addInput(inputs[input]);
            if (graph.isDying(input)) {
                writer.dropInput(input);
            }
        }
        for (int instruction = 0; instruction < graph.instructionCount(); instruction++) {
            writer.write(graph, instruction);
        }
        return writer;
    }

    private void write(RecordedGraph graph, int instruction) {
        Op op = graph.op(instruction);
        begin(op, graph.operandCount(instruction));
        graph.visitOperands(instruction, this);
        int first = graph.firstResult(instruction);
        int results = graph.resultCount(instruction);
        finish(op, results == 0 ? 0 : graph.id(first), results);
        for (int result = first; result < first + results; result++) {
            if (graph.isDropped(result)) {
                drop(result);
            }
        }
        String line = graph.source(instruction);
        if (line != null) {
            source(line);
        }
    }

    public boolean isEmpty() {
        return instructionCount == 0;
    }

    public int instructionCount() {
        return instructionCount;
    }

    /** Makes a value of the session an input of this segment. Returns its index. Each id may be added once. */
    public int addInput(long id) {
        if (inputCount == inputs.length) {
            inputs = Arrays.copyOf(inputs, 2 * inputCount);
        }
        inputs[inputCount] = id;
        return inputCount++;
    }

    /** Begins an instruction. Exactly its operands must follow, then {@link #finish}. */
    public void begin(Op op, int operands) {
        instructions.varint(op.code());
        if (op.arity() == Op.VARIADIC) {
            instructions.varint(operands);
        }
    }

    /** Writes an operand that an earlier instruction of this segment computed, by result index. */
    @Override
    public void result(int index) {
        instructions.varint(((long) (resultCount - index) << 2) | RESULT);
    }

    /** Writes an operand from before this segment, by input index. */
    @Override
    public void input(int index) {
        instructions.varint(((long) index << 2) | INPUT);
    }

    /** Writes a zero-dimensional operand into the instruction itself. Its dtype is structure, and its number is data. */
    @Override
    public void immediate(Scalar value) {
        instructions.varint(((long) value.dtype().code() << 2) | IMMEDIATE);
        data.fixed64(value.bits());
    }

    /**
     * Ends an instruction whose results have the ids {@code firstId, firstId + 1, …}. All results are kept until {@link #drop}. Returns
     * the index of the first.
     */
    public int finish(Op op, long firstId, int count) {
        op.writeAttributes(attributes);
        instructionCount++;
        int first = resultCount;
        if (resultCount + count > results.length) {
            results = Arrays.copyOf(results, Math.max(2 * results.length, resultCount + count));
        }
        for (int index = 0; index < count; index++) {
            kept = setFlag(kept, resultCount);
            results[resultCount++] = firstId + index;
        }
        return first;
    }

    /** Sets the user's line that recorded the latest instruction. */
    public void source(String line) {
        sources.varint(instructionCount - 1L);
        sources.string(line);
        sourceCount++;
    }

    /** Marks a result of this segment that is not used after the segment has run. */
    public void drop(int result) {
        kept[result >>> 6] &= ~(1L << (result & 63));
    }

    /** Marks an input that is not used after the segment has run. Its memory may be reused in the run. */
    public void dropInput(int input) {
        dying = setFlag(dying, input);
    }

    /** Returns the structure's bytes so far: the wire key of this segment, except for the types of its inputs. */
    public byte[] structure() {
        ByteWriter structure = new ByteWriter(instructions.size() + 64);
        structure.varint(instructionCount);
        structure.varint(inputCount);
        structure.varint(resultCount);
        structure.block(instructions);
        structure.flags(Arrays.copyOf(dying, (inputCount >>> 6) + 1), inputCount);
        structure.flags(kept, resultCount);
        return structure.toByteArray();
    }

    /** Returns the arguments so far: data, bindings and source lines. */
    public SegmentArguments particulars() {
        ByteWriter lines = new ByteWriter(sources.size() + 8);
        lines.varint(sourceCount);
        lines.bytes(sources.toByteArray());
        return new SegmentArguments(
                data.toByteArray(), Arrays.copyOf(inputs, inputCount), outputs(), lines.toByteArray());
    }

    /** Returns the whole segment. */
    public byte[] toByteArray() {
        return Segment.write(structure(), particulars());
    }

    private long[] outputs() {
        long[] outputs = new long[resultCount];
        int count = 0;
        for (int index = 0; index < resultCount; index++) {
            if ((kept[index >>> 6] >>> (index & 63) & 1) != 0) {
                outputs[count++] = results[index];
            }
        }
        return Arrays.copyOf(outputs, count);
    }

    private static long[] setFlag(long[] words, int index) {
        long[] grown = index >>> 6 < words.length ? words : Arrays.copyOf(words, 2 * words.length + (index >>> 6));
        grown[index >>> 6] |= 1L << (index & 63);
        return grown;
    }
}
