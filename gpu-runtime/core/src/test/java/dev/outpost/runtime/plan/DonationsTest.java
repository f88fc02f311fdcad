package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DonationsTest {
    private static final CpuEngine ENGINE = new CpuEngine(1, 0);
    private static final TensorType MATRIX = new TensorType(DType.FLOAT32, Shape.of(4, 6));
    private static final TensorType ROW = new TensorType(DType.FLOAT32, Shape.of(6));
    private static final TensorType INTEGERS = new TensorType(DType.INT32, Shape.of(4, 6));
    private static final Scalar RATE = Scalar.of(DType.FLOAT32, 0.1);

    private final Sketch sketch = new Sketch();

    @AfterAll
    static void close() {
        ENGINE.close();
    }

    private Plan plan() {
        return Planner.of(ENGINE).plan(sketch.graph(), true);
    }

    /** The donor of the first result of the last task. */
    private int donor() {
        Plan plan = plan();
        return plan.donor(plan.tasks().size() - 1, 0);
    }

    /** The new parameter overwrites the old one: {@code p - rate · g}. */
    @Test
    void anUpdateTakesTheMemoryOfWhatItUpdates() {
        int gradient = sketch.input(MATRIX);
        int parameter = sketch.dyingInput(MATRIX);
        int step = sketch.op(Binary.MUL, gradient, RATE);
        sketch.op(Binary.SUB, parameter, step);
        sketch.drop(step);
        assertEquals(1, plan().tasks().size());
        assertEquals(parameter, donor());
    }

    @Test
    void liveOperandIsNotDonated() {
        sketch.op(Unary.NEG, sketch.input(MATRIX));
        assertEquals(Plan.NO_DONOR, donor());
    }

    @Test
    void aRowIsNoRoomForAMatrix() {
        int row = sketch.dyingInput(ROW);
        sketch.op(Binary.ADD, row, sketch.input(MATRIX));
        assertEquals(Plan.NO_DONOR, donor());
    }

    /** The exponential is stored before the value is read again: with tiles this would overwrite the value. */
    @Test
    void operandReadLaterInTheTaskIsNotOverwritten() {
        int input = sketch.dyingInput(MATRIX);
        int exponential = sketch.op(Unary.EXP, input);
        int product = sketch.op(Binary.MUL, exponential, input);
        Plan plan = plan();
        assertEquals(1, plan.tasks().size());
        assertEquals(List.of(Plan.NO_DONOR, input), List.of(plan.donor(0, 0), plan.donor(0, 1)));
        assertEquals(
                List.of(exponential, product), List.of(plan.tasks().getFirst().results()[0], product));
    }

    /** A copy within a task is the value itself under another name, and is stored last. */
    @Test
    void operandStoredUnchangedIsReadLast() {
        int input = sketch.dyingInput(MATRIX);
        sketch.op(Unary.EXP, input);
        int copy = sketch.op(Unary.COPY, input);
        sketch.op(Binary.MUL, copy, copy);
        Plan plan = plan();
        for (int result = 0; result < plan.tasks().getFirst().results().length; result++) {
            assertEquals(Plan.NO_DONOR, plan.donor(0, result));
        }
    }

    /** When it fails half way, its instructions are run one by one from their original operands. */
    @Test
    void aFusedTaskThatMayFailDonatesNothing() {
        int dividend = sketch.dyingInput(INTEGERS);
        int quotient = sketch.op(Binary.FLOOR_DIV, dividend, sketch.input(INTEGERS));
        sketch.op(Unary.NEG, quotient);
        sketch.drop(quotient);
        assertEquals(1, plan().tasks().size());
        assertEquals(Plan.NO_DONOR, donor());
    }

    @Test
    void aValueIsGivenAwayOnce() {
        int input = sketch.dyingInput(MATRIX);
        int exponential = sketch.op(Unary.EXP, input);
        int negative = sketch.op(Unary.NEG, input);
        sketch.op(Binary.MUL, exponential, negative);
        Plan plan = plan();
        assertEquals(1, plan.tasks().size());
        assertEquals(
                List.of(Plan.NO_DONOR, input, Plan.NO_DONOR),
                List.of(plan.donor(0, 0), plan.donor(0, 1), plan.donor(0, 2)));
    }

    /** The view is read after its base's memory would have been reused. */
    @Test
    void operandWithALiveViewIsNotOverwritten() {
        int input = sketch.input(MATRIX);
        int base = sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), input);
        int view = sketch.op(new AsStrided(Layout.of(Shape.of(3), new long[] {2}, 0)), base);
        sketch.op(Unary.NEG, base);
        sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), view);
        sketch.drop(base, view);
        Plan plan = plan();
        assertEquals(4, plan.tasks().size());
        for (int task = 0; task < plan.tasks().size(); task++) {
            assertEquals(Plan.NO_DONOR, plan.donor(task, 0));
        }
    }

    /** A reshaped gradient is as good as the gradient. */
    @Test
    void aViewOfAllOfItIsGivenAwayWithIt() {
        int input = sketch.input(MATRIX);
        int base = sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), true), input);
        int view = sketch.op(new AsStrided(Layout.contiguous(ROW.shape())), base);
        sketch.op(Unary.NEG, view);
        sketch.drop(base, view);
        assertEquals(view, donor());
    }

    @Test
    void aWriteThroughAViewTakesTheMemoryOfWhatItWritesTo() {
        int base = sketch.dyingInput(MATRIX);
        sketch.op(new StridedWrite(Layout.contiguous(MATRIX.shape()).select(0, 1)), base, sketch.input(ROW));
        assertEquals(base, donor());
    }

    /** {@code x[1] = x[0]}: the view has to be read first, but no order is guaranteed. */
    @Test
    void writeFromItsOwnMemoryCopies() {
        int base = sketch.dyingInput(MATRIX);
        int row = sketch.op(new AsStrided(Layout.contiguous(MATRIX.shape()).select(0, 0)), base);
        sketch.op(new StridedWrite(Layout.contiguous(MATRIX.shape()).select(0, 1)), base, row);
        sketch.drop(row);
        assertEquals(Plan.NO_DONOR, donor());
    }
}
