package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskOrderTest {
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

    /** Recorded in the order of an optimizer: first all gradients, then all updates. */
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

    /** Then only one gradient at a time is held besides the parameters. */
    @Test
    void anUpdateRunsAsSoonAsItsGradientIsThere() {
        record(3);
        assertEquals(List.of(0, 1, 2, 3, 4, 5), order(plan(false)));
        assertEquals(List.of(0, 3, 1, 4, 2, 5), order(plan(true)));
        assertEquals(4 * 4000, plan(true).memory().peakBytes());
    }

    private int exchanged(int gradient, long number) {
        return sketch.op(
                new Collective(
                        Collective.Fn.ALL_REDUCE, FLOATS, List.of(0, 1), Optional.empty(), Optional.empty(), number, 1),
                gradient);
    }

    /** A sum begins when its term is available; the update that needs the sum would wait for the other members. */
    @Test
    void anExchangeIsHurriedAndWhatNeedsItIsNot() {
        sketch.dyingInput(FLOATS);
        sketch.dyingInput(FLOATS);
        int data = sketch.input(FLOATS);
        int first = sketch.op(Unary.NEG, data);
        int second = sketch.op(Unary.EXP, data);
        int firstSum = exchanged(first, 1);
        int secondSum = exchanged(second, 2);
        sketch.op(Binary.SUB, 0, firstSum);
        sketch.op(Binary.SUB, 1, secondSum);
        sketch.drop(first, second, firstSum, secondSum);
        assertEquals(List.of(0, 2, 1, 3, 4, 5), order(plan(true)));
    }

    /** No order would hold less memory, so nothing is moved. */
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
