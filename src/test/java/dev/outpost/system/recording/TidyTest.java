package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.CustomFunction;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tidy function closes its intermediate values, and nothing else. */
@Tag("quick")
class TidyTest {
    private final RemoteMachine machine = RemoteMachine.of("mock", "A100");

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void theResultLivesAndTheStepsToItDoNot() {
        List<Tensor> steps = new ArrayList<>();
        Tensor x = machine.tensor(new float[] {3, 3});
        Tensor y = Scope.tidy(() -> {
            steps.add(x.add(1));
            return steps.getFirst().mul(x);
        });
        assertEquals(2, machine.heldValues());
        assertThrows(RuntimeException.class, () -> steps.getFirst().toFloatArray());
        assertArrayEquals(new float[] {12, 12}, y.toFloatArray());
    }

    @Test
    void aTensorFromOutsideMayBeTheResult() {
        Tensor x = machine.ones(2);
        assertSame(x, Scope.tidy(() -> x));
        assertFalse(x.isClosed());
    }

    @Test
    void aViewOfAStepKeepsIt() {
        Tensor row = Scope.tidy(() -> machine.ones(2, 3).mul(4).select(0, 1));
        assertArrayEquals(new float[] {4, 4, 4}, row.toFloatArray());
        row.close();
        assertEquals(0, machine.heldValues());
    }

    @Test
    void theResultIsTheScopesThatIsOpen() {
        Tensor y;
        try (Scope scope = machine.scope()) {
            y = Scope.tidy(() -> Scope.tidy(() -> machine.ones(2).add(1)).mul(3));
            assertArrayEquals(new float[] {6, 6}, y.toFloatArray());
        }
        assertEquals(0, machine.heldValues());
    }

    @Test
    void severalMayBeTheResult() {
        List<Tensor> both = Scope.tidy(
                () -> {
                    Tensor x = machine.ones(2).add(1);
                    return List.of(x.mul(2), x.mul(3));
                },
                results -> results);
        assertEquals(2, machine.heldValues());
        assertArrayEquals(new float[] {6, 6}, both.getLast().toFloatArray());
    }

    @Test
    void failedBodyLeavesNoTensors() {
        assertThrows(
                OpException.class, () -> Scope.tidy(() -> machine.ones(2).add(1).matmul(machine.ones(3))));
        assertEquals(0, machine.heldValues());
    }

    @Test
    void itIsNoEndOfASegment() {
        Tensor x = machine.ones(2);
        machine.endStep();
        for (int step = 0; step < 5; step++) {
            x.add_(Scope.tidy(() -> x.mul(2).add(1)));
        }
        machine.endStep();
        assertEquals(2, machine.stats().segments());
    }

    /** Values that autograd saved, and the gradients of inner tensors, outlive it. */
    @Test
    void gradientsFlowThroughIt() {
        Tensor x = machine.tensor(new float[] {3, 3}).requiresGrad(true);
        Tensor y = Scope.tidy(() -> x.mul(x).exp().mul(x));
        y.sum().backward();
        double slope = Math.exp(9) * (1 + 2 * 9);
        assertArrayEquals(new float[] {(float) slope, (float) slope}, x.grad().toFloatArray(), (float) slope * 1e-6f);
    }

    @Test
    void theGradientOfALeafThatWasMadeInsideIsTheOuterScopes() {
        Tensor gradient;
        try (Scope scope = machine.scope()) {
            Tensor leaf = Scope.tidy(() -> machine.ones(2).add(1)).requiresGrad(true);
            leaf.mul(leaf).sum().backward();
            gradient = leaf.grad();
            assertArrayEquals(new float[] {4, 4}, gradient.toFloatArray());
        }
        assertEquals(0, machine.heldValues());
    }

    // ---- the walk backwards

    @Test
    void backwardLeavesTheGradientsOfLeavesAndNoOther() {
        Tensor x = machine.ones(3).requiresGrad(true);
        Tensor weight = machine.ones(3).requiresGrad(true);
        for (int step = 0; step < 3; step++) {
            try (Tensor loss = x.mul(weight).softmax(-1).log().sum()) {
                loss.backward();
            }
        }
        // x, the weight and their gradients; and the values that the program created and did not close.
        assertTrue(machine.heldValues() <= 4 + 3 * 3, () -> "held: " + machine.heldValues());
    }

    @Test
    void tensorSeenByAHookBelongsToTheProgram() {
        List<Tensor> seen = new ArrayList<>();
        Tensor x = machine.ones(2).requiresGrad(true);
        Tensor y = x.mul(3);
        y.registerHook(gradient -> {
            seen.add(gradient);
            seen.add(gradient.mul(2));
            return seen.getLast();
        });
        y.mul(5).sum().backward();
        assertArrayEquals(new float[] {5, 5}, seen.getFirst().toFloatArray());
        assertArrayEquals(new float[] {10, 10}, seen.getLast().toFloatArray());
        assertArrayEquals(new float[] {30, 30}, x.grad().toFloatArray());
    }

    @Test
    void tensorSeenByACustomFunctionBelongsToTheProgram() {
        List<Tensor> seen = new ArrayList<>();
        Tensor x = machine.ones(2).requiresGrad(true);
        new Remembering(seen).apply(x)[0].mul(7).sum().backward();
        assertArrayEquals(new float[] {7, 7}, seen.getFirst().toFloatArray());
        assertArrayEquals(new float[] {14, 14}, seen.getLast().toFloatArray());
        assertArrayEquals(new float[] {14, 14}, x.grad().toFloatArray());
    }

    @Test
    void argumentsAndCapturedTensorsStayOpen() {
        Tensor x = machine.tensor(new float[] {2, 2, 2}).requiresGrad(true);
        Tensor y = x.mul(1);
        Tensor given = machine.tensor(new float[] {5, 5, 5});
        List<Tensor> found = Autograd.grad(y.add(y), List.of(x, y), given, true, false);
        assertArrayEquals(new float[] {10, 10, 10}, found.get(0).toFloatArray());
        assertArrayEquals(new float[] {10, 10, 10}, found.get(1).toFloatArray());
        assertArrayEquals(new float[] {5, 5, 5}, given.toFloatArray());
        List<Tensor> same = Autograd.grad(y, List.of(y), given, true, false);
        same.getFirst().close();
        assertArrayEquals(new float[] {5, 5, 5}, given.toFloatArray());
    }

    private static final class Remembering extends CustomFunction {
        private final List<Tensor> seen;

        Remembering(List<Tensor> seen) {
            this.seen = seen;
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            return new Tensor[] {inputs[0].mul(2)};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            seen.add(gradients[0]);
            seen.add(gradients[0].mul(2));
            return new Tensor[] {seen.getLast()};
        }
    }
}
