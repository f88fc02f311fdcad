package dev.outpost.protocol.ir;

import dev.outpost.protocol.op.Op;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A graph while it is recorded: instructions over inputs and over results of earlier instructions, with the ids of its input and output
 * values. It keeps plain arrays, because an instruction is recorded for each op of a user's program. {@link #graph} makes a {@link Graph}
 * of it. Not thread-safe.
 */
public final class RecordedGraph {
    /** The kinds of operands, in the two low bits of an operand. The other bits are an index. */
    private static final int RESULT = 0;

    private static final int INPUT = 1;
    private static final int IMMEDIATE = 2;
    private static final int KIND_BITS = 2;
    private static final int KIND_MASK = (1 << KIND_BITS) - 1;

    private Op[] ops = new Op[64];
    /** For each instruction, the end of its operands and of its results, exclusive. */
    private int[] operandEnds = new int[64];

    private int[] resultEnds = new int[64];
    private int count;

    private int[] operands = new int[128];
    private int operandCount;
    private Scalar[] immediates = new Scalar[16];
    private int immediateCount;

    private long[] inputs = new long[16];
    private int inputCount;
    private final BitSet dying = new BitSet();

    private long[] results = new long[64];
    private int resultCount;
    private final BitSet dropped = new BitSet();

    /** The source lines by instruction; null until a line is known, with null for each unknown one. */
    private String @Nullable [] sources;

    // ---- recording

    /** Makes a value of the session an input. Returns its index. Each id may be added once. */
    public int addInput(long id) {
        if (inputCount == inputs.length) {
            inputs = Arrays.copyOf(inputs, 2 * inputCount);
        }
        inputs[inputCount] = id;
        return inputCount++;
    }

    /** Adds the result of an earlier instruction as an operand of the next instruction, by result index. */
    public void result(int index) {
        operand(index, RESULT);
    }

    /** Adds an operand of the next instruction: an input, by its index. */
    public void input(int index) {
        operand(index, INPUT);
    }

    /** Adds an operand of the next instruction: a number. */
    public void immediate(Scalar value) {
        if (immediateCount == immediates.length) {
            immediates = Arrays.copyOf(immediates, 2 * immediateCount);
        }
        immediates[immediateCount] = value;
        operand(immediateCount++, IMMEDIATE);
    }

    private void operand(int index, int kind) {
        if (operandCount == operands.length) {
            operands = Arrays.copyOf(operands, 2 * operandCount);
        }
        operands[operandCount++] = index << KIND_BITS | kind;
    }

    /**
     * Adds an instruction over the operands that were added. Its results have the ids {@code firstId, firstId + 1, …} and outlive the
     * graph unless {@link #drop} marks them. Returns the index of the first result.
     */
    public int finish(Op op, long firstId, int resultsOfOp) {
        if (count == ops.length) {
            ops = Arrays.copyOf(ops, 2 * count);
            operandEnds = Arrays.copyOf(operandEnds, 2 * count);
            resultEnds = Arrays.copyOf(resultEnds, 2 * count);
        }
        int first = resultCount;
        if (first + resultsOfOp > results.length) {
            results = Arrays.copyOf(results, Math.max(2 * results.length, first + resultsOfOp));
        }
        for (int index = 0; index < resultsOfOp; index++) {
            results[resultCount++] = firstId + index;
        }
        ops[count] = op;
        operandEnds[count] = operandCount;
        resultEnds[count++] = resultCount;
        return first;
    }

    /** Sets the user's line that recorded the latest instruction. */
    public void source(String line) {
        if (sources == null || sources.length < count) {
            sources = sources == null ? new String[ops.length] : Arrays.copyOf(sources, ops.length);
        }
        sources[count - 1] = line;
    }

    /** Marks a result that is not used after the graph has run. */
    public void drop(int result) {
        dropped.set(result);
    }

    /** Marks an input that is not used after the graph has run. The run may reuse the memory of the input. */
    public void dropInput(int input) {
        dying.set(input);
    }

    /**
     * Starts a new graph that reuses the arrays, except arrays of objects: storing a young object in an array of the
     * old generation makes the collector's write barrier slow.
     */
    public void clear() {
        ops = new Op[ops.length];
        immediates = new Scalar[immediates.length];
        count = 0;
        operandCount = 0;
        immediateCount = 0;
        inputCount = 0;
        resultCount = 0;
        dying.clear();
        dropped.clear();
        sources = null;
    }

    // ---- reading

    public boolean isEmpty() {
        return count == 0;
    }

    public int instructionCount() {
        return count;
    }

    public int inputCount() {
        return inputCount;
    }

    public Op op(int instruction) {
        return ops[instruction];
    }

    public int operandCount(int instruction) {
        return operandEnds[instruction] - firstOperand(instruction);
    }

    private int firstOperand(int instruction) {
        return instruction == 0 ? 0 : operandEnds[instruction - 1];
    }

    /** Returns the index of an instruction's first result. */
    public int firstResult(int instruction) {
        return instruction == 0 ? 0 : resultEnds[instruction - 1];
    }

    public int resultCount(int instruction) {
        return resultEnds[instruction] - firstResult(instruction);
    }

    /** Returns the id of a result. */
    public long id(int result) {
        return results[result];
    }

    /** Returns the user's line that recorded an instruction, or null. */
    public @Nullable String source(int instruction) {
        return sources == null || instruction >= sources.length ? null : sources[instruction];
    }

    public boolean isDying(int input) {
        return dying.get(input);
    }

    public boolean isDropped(int result) {
        return dropped.get(result);
    }

    /** Returns the ids of the input values, by input index. */
    public long[] inputs() {
        return Arrays.copyOf(inputs, inputCount);
    }

    /** Returns the ids of the results that outlive the graph, in the order in which they are computed. */
    public long[] outputs() {
        long[] outputs = new long[resultCount - dropped.cardinality()];
        int kept = 0;
        for (int result = dropped.nextClearBit(0); result < resultCount; result = dropped.nextClearBit(result + 1)) {
            outputs[kept++] = results[result];
        }
        return outputs;
    }

    /** Receives the operands of an instruction in their order. */
    public interface OperandVisitor {
        /** Receives an operand that is the result of an earlier instruction, by result index. */
        void result(int index);

        void input(int index);

        void immediate(Scalar value);
    }

    /** Visits the operands of an instruction in their order. */
    public void visitOperands(int instruction, OperandVisitor visitor) {
        for (int position = firstOperand(instruction); position < operandEnds[instruction]; position++) {
            int index = operands[position] >>> KIND_BITS;
            switch (operands[position] & KIND_MASK) {
                case RESULT -> visitor.result(index);
                case INPUT -> visitor.input(index);
                default -> visitor.immediate(immediates[index]);
            }
        }
    }

    /**
     * Returns the graph over inputs of the given types. Throws the op's {@code OpException} for operands that it refuses.
     *
     * @param inputTypes the types by input index
     */
    public Graph graph(TensorType... inputTypes) {
        GraphBuilder builder = new GraphBuilder(inputTypes);
        for (int instruction = 0; instruction < count; instruction++) {
            add(instruction, builder);
        }
        dying.stream().forEach(builder::drop);
        dropped.stream().forEach(result -> builder.drop(inputCount + result));
        return builder.build();
    }

    private void add(int instruction, GraphBuilder builder) {
        int[] values = new int[operandCount(instruction)];
        Scalar[] numbers = new Scalar[values.length];
        for (int position = 0; position < values.length; position++) {
            int operand = operands[firstOperand(instruction) + position];
            int index = operand >>> KIND_BITS;
            switch (operand & KIND_MASK) {
                case RESULT -> values[position] = inputCount + index;
                case INPUT -> values[position] = index;
                default -> {
                    values[position] = Instruction.IMMEDIATE;
                    numbers[position] = immediates[index];
                }
            }
        }
        builder.add(ops[instruction], values, numbers);
        String source = source(instruction);
        if (source != null) {
            builder.source(source);
        }
    }
}
