package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LazyValueTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(1, 64, 64));
    private static final TensorType INTEGERS = new TensorType(DType.INT32, Shape.of(1, 64, 64));

    private final CpuEngine engine = new CpuEngine(1, 0);
    private final Sketch sketch = new Sketch();

    @AfterEach
    void close() {
        engine.close();
    }

    private List<Integer> deferred() {
        return Planner.deferring(engine).plan(sketch.graph(), false, true).tasks().stream()
                .flatMap(task -> Arrays.stream(task.deferred()).boxed())
                .toList();
    }

    /** Nothing uses the last value: the program wanted it. */
    @Test
    void stepsAre() {
        int first = sketch.op(Unary.EXP, sketch.input(FLOATS));
        int second = sketch.op(Unary.SIN, first);
        sketch.op(Unary.TANH, second);
        assertEquals(List.of(first, second), deferred());
    }

    @Test
    void valueReadByAnotherTaskIsNotLazy() {
        int first = sketch.op(Unary.EXP, sketch.input(FLOATS));
        int second = sketch.op(Unary.SIN, first);
        sketch.op(Unary.TANH, second);
        sketch.op(new Matmul(), first, first);
        assertEquals(List.of(second), deferred());
    }

    /** Its size in bytes does not fit a long; storing it is refused later, and the plan does not mention it. */
    @Test
    void valueThatNothingCanHoldIsNotLazy() {
        TensorType endless = new TensorType(DType.FLOAT32, Shape.of(1L << 61, 1, 3));
        int first = sketch.op(Unary.EXP, sketch.input(endless));
        sketch.op(Unary.TANH, sketch.op(Unary.SIN, first));
        assertEquals(List.of(), deferred());
    }

    @Test
    void aSingleInstructionStoresItsResult() {
        int first = sketch.op(new Matmul(), sketch.input(FLOATS), 0);
        sketch.op(new Reduce(Reduce.Fn.PROD, Axes.of(1), true), first);
        assertEquals(List.of(), deferred());
    }

    /** Two values would be held instead of one. */
    @Test
    void valueThatWouldHoldMoreMemoryIsNotLazy() {
        int x = sketch.input(FLOATS);
        int left = sketch.op(new Matmul(), x, x);
        int right = sketch.op(new Matmul(), x, left);
        int sum = sketch.op(Binary.ADD, left, right);
        sketch.op(Unary.TANH, sum);
        assertEquals(List.of(sum), deferred());
        sketch.drop(left, right);
        assertEquals(List.of(), deferred());
    }

    @Test
    void anUpdateIsNot() {
        int parameter = sketch.dyingInput(FLOATS);
        int gradient = sketch.input(FLOATS);
        int moment = sketch.op(Unary.EXP, gradient);
        sketch.op(Binary.SUB, parameter, moment);
        assertEquals(List.of(), deferred());
    }

    @Test
    void fallibleOpIsNotLazy() {
        int left = sketch.input(INTEGERS);
        int right = sketch.input(INTEGERS);
        int quotient = sketch.op(Binary.FLOOR_DIV, left, right);
        sketch.op(Unary.NEG, quotient);
        assertEquals(List.of(), deferred());
    }
}
