package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InPlaceOpsTest extends OpsOnAMachine {
    @Test
    @Tag("quick")
    void aWriteIsSeenThroughEveryView() {
        Tensor base = doubles(1, 2, 3, 4).reshape(2, 2);
        Tensor row = base.select(0, 1);
        assertSame(row, row.mul_(10));
        assertValues(base, 1, 2, 30, 40);
        base.add_(1);
        assertValues(row, 31, 41);
    }

    @Test
    @Tag("quick")
    void theResultMustFit() {
        assertRefused(
                "add_: the result has shape [2, 3] and does not fit in place into [3]; use the op that makes a new"
                        + " tensor",
                () -> machine.zeros(3).add_(machine.zeros(2, 3)));
        assertRefused(
                "add_: a float32 result cannot be stored in int64; use the op that makes a new tensor, or cast this one"
                        + " first with to(DType.FLOAT32)",
                () -> longs(1).add_(0.5));
        assertRefused(
                "div_: a float32 result cannot be stored in int64; use the op that makes a new tensor, or cast this one"
                        + " first with to(DType.FLOAT32)",
                () -> longs(1).div_(2));
        assertRefused(
                "add_: a int64 result cannot be stored in bool; use the op that makes a new tensor, or cast this one first"
                        + " with to(DType.INT64)",
                () -> bools(true).add_(1));
        assertRefused(
                "copy_: the source does not broadcast, got [2] into [3]",
                () -> machine.zeros(3).copy_(machine.zeros(2)));
    }

    @Test
    void resultsOfTheSameKindAreCast() {
        Tensor x = floats(1);
        x.add_(doubles(0.5));
        assertEquals("tensor([1.5000])", x.toString());
    }

    @Test
    void valuesAreWritten() {
        Tensor x = machine.zeros(2, 2);
        assertValues(x.copy_(longs(1, 2)), 1, 2, 1, 2);
        assertValues(x.fill_(7), 7, 7, 7, 7);
        assertValues(x.fill_(machine.scalar(3)), 3, 3, 3, 3);
        assertValues(x.t().select(0, 0).zero_(), 0, 0);
        assertValues(x, 0, 3, 0, 3);
        assertValues(x.maskedFill_(x.eq(0), 5), 5, 3, 5, 3);
    }

    @Test
    void aCopyDoesNotFollowItsSource() {
        Tensor source = doubles(1, 2);
        Tensor copy = doubles(0, 0).copy_(source);
        source.zero_();
        assertValues(copy, 1, 2);
        copy.add_(1);
        assertValues(source, 0, 0);
    }

    @Test
    void arithmetic() {
        Tensor x = doubles(4, 9);
        assertValues(x.sqrt_(), 2, 3);
        assertValues(x.pow_(2), 4, 9);
        assertValues(x.sub_(doubles(1), 2), 2, 7);
        assertValues(x.addcmul_(doubles(1), doubles(2), 3), 8, 13);
        assertValues(x.addcdiv_(doubles(4), doubles(2)), 10, 15);
        assertValues(x.lerp_(doubles(0), 0.5), 5, 7.5);
        assertValues(x.clamp_(6, null), 6, 7.5);
        assertValues(x.floor_().neg_().relu_(), 0, 0);
        assertValues(x.exp_().sigmoid_(), 1 / (1 + Math.exp(-1)), 1 / (1 + Math.exp(-1)));
    }

    @Test
    void gradientsFlowThroughWrites() {
        Tensor leaf = doubles(1, 2).requiresGrad(true);
        Tensor x = leaf.clone();
        x.mul_(3).select(0, 0).zero_();
        x.sum().backward();
        assertValues(leaf.grad(), 0, 3);
        assertRefused(
                "add_: a leaf that requires gradients cannot be written in place, got tensor float64[2]; write it"
                        + " inside of GradMode.noGrad, or use the op that makes a new tensor",
                () -> leaf.add_(1));
        GradMode.noGrad(() -> {
            leaf.add_(1);
        });
        assertValues(leaf, 2, 3);
    }

    @Test
    void writeFreesItsIntermediates() {
        Tensor x = floats(1, 2);
        machine.synchronize();
        long held = machine.heldValues();
        for (int step = 0; step < 10; step++) {
            x.add_(1).mul_(x).relu_().copy_(x).zero_();
        }
        machine.synchronize();
        assertEquals(held, machine.heldValues());
    }
}
