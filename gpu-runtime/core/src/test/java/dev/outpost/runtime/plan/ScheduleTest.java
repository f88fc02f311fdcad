package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Shape SHAPE = Shape.of(1000);
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, SHAPE);

    private final Sketch sketch = new Sketch();

    private Plan plan(boolean isThrifty) {
        return Planner.with(new ReferenceEngine(), List.of(), false, isThrifty).plan(sketch.graph(), true);
    }

    private static List<Integer> order(Plan plan) {
        return plan.tasks().stream().map(task -> task.instructions()[0]).toList();
    }

    private int gradient(double value) {
        return sketch.op(new Fill(SHAPE, Scalar.of(DType.FLOAT32, value)));
    }

    /** Recorded as an optimizer does it: first all gradients, then all updates. */
    private void record(int parameters) {
        for (int parameter = 0; parameter < parameters; parameter++) {
            sketch.dyingInput(FLOATS);
        }
        int[] gradients = new int[parameters];
        for (int parameter = 0; parameter < parameters; parameter++) {
            gradients[parameter] = gradient(parameter);
        }
        for (int parameter = 0; parameter < parameters; parameter++) {
            sketch.op(Binary.SUB, parameter, gradients[parameter]);
        }
        sketch.drop(gradients);
    }

    /** Then one gradient is held besides the parameters, and not each of them. */
    @Test
    void anUpdateRunsAsSoonAsItsGradientIsThere() {
        record(3);
        assertEquals(List.of(0, 1, 2, 3, 4, 5), order(plan(false)));
        assertEquals(List.of(0, 3, 1, 4, 2, 5), order(plan(true)));
        assertEquals(4 * 4000, plan(true).memory().peakBytes());
    }

    /** Nothing would be held less, so nothing is moved. */
    @Test
    void otherwiseTheOrderIsTheProgrammers() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        int second = sketch.op(Unary.NEG, input);
        sketch.op(Unary.NEG, first);
        sketch.op(Unary.EXP, second);
        assertEquals(List.of(0, 1, 2, 3), order(plan(true)));
    }
}
