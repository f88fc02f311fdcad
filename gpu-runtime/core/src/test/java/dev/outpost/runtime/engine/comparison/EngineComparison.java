package dev.outpost.runtime.engine.comparison;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/** Compares an engine with another one: they must have the same results within {@link Tolerances}, or the same fault. */
public final class EngineComparison {
    private final Engine expected;
    private final Engine actual;

    public EngineComparison(Engine expected, Engine actual) {
        this.expected = expected;
        this.actual = actual;
    }

    /**
     * Runs the case on both engines.
     *
     * @throws DifferenceException if the results differ
     */
    public void check(Case run) {
        Instruction instruction = instruction(run);
        Outcome right = outcome(expected, instruction, run);
        Outcome found = outcome(actual, instruction, run);
        if (!Objects.equals(right.fault, found.fault)) {
            throw new DifferenceException(run + ": expected " + right.ending() + " but was " + found.ending());
        }
        for (int result = 0; result < right.results.length; result++) {
            compare(run, instruction.resultType(result), right.results[result], found.results[result]);
        }
    }

    /** The outcome of a run: results, or the message of a fault. */
    private record Outcome(byte[][] results, String fault) {
        String ending() {
            return fault == null ? "a result" : "the fault \"" + fault + "\"";
        }
    }

    public static Instruction instruction(Case run) {
        int[] operands = IntStream.range(0, run.operands().size()).toArray();
        return new GraphBuilder(run.types()).add(run.op(), operands);
    }

    private static Outcome outcome(Engine engine, Instruction instruction, Case run) {
        Array[] operands =
                run.operands().stream().map(operand -> operand.on(engine)).toArray(Array[]::new);
        Array[] results = new Array[instruction.resultCount()];
        Arrays.setAll(results, result -> unwritten(engine, instruction.resultType(result)));
        try {
            engine.compile(instruction).run(run.op(), operands, results);
            return new Outcome(
                    Arrays.stream(results)
                            .map(result ->
                                    engine.read(result, 0, (int) result.shape().elements()))
                            .toArray(byte[][]::new),
                    null);
        } catch (OutpostException fault) {
            return new Outcome(new byte[0][], fault.kind() + " " + fault.getMessage());
        } finally {
            Arrays.stream(operands).map(Array::buffer).forEach(engine::release);
            Arrays.stream(results).map(Array::buffer).forEach(engine::release);
        }
    }

    /** Memory filled with a value that no test computes, to find elements that were not written. */
    private static Array unwritten(Engine engine, TensorType type) {
        EngineBuffer buffer = engine.allocate(type.dtype(), type.shape().elements());
        byte[] garbage = new byte[Math.toIntExact(type.bytes())];
        Arrays.fill(garbage, (byte) (type.dtype() == DType.BOOL ? 1 : 0x5b));
        engine.write(buffer, 0, new Slice(garbage));
        return Array.contiguous(buffer, type.shape());
    }

    private static void compare(Case run, TensorType type, byte[] expected, byte[] actual) {
        HeapBuffer right = decode(type, expected);
        HeapBuffer found = decode(type, actual);
        for (int index = 0; index < right.elements(); index++) {
            if (!isClose(run, right, found, index)) {
                throw new DifferenceException(run + ", element " + index + ": expected " + text(right, index)
                        + " but was " + text(found, index));
            }
        }
    }

    private static boolean isClose(Case run, HeapBuffer right, HeapBuffer found, int index) {
        DType dtype = right.dtype();
        if (run.length() == Case.EXACTLY) {
            return Double.compare(right.getDouble(index), found.getDouble(index)) == 0
                    && (dtype.isFloating() || right.getLong(index) == found.getLong(index));
        }
        return dtype.isFloating()
                ? Tolerances.isClose(
                        dtype, right.getDouble(index), found.getDouble(index), run.length(), run.magnitude())
                : right.getLong(index) == found.getLong(index);
    }

    private static HeapBuffer decode(TensorType type, byte[] bytes) {
        HeapBuffer buffer = HeapBuffer.allocate(type.dtype(), (int) type.shape().elements());
        HeapTransfer.write(buffer, 0, new Slice(bytes));
        return buffer;
    }

    private static String text(HeapBuffer buffer, int index) {
        return buffer.dtype().isFloating()
                ? Double.toString(buffer.getDouble(index))
                : Long.toString(buffer.getLong(index));
    }
}
