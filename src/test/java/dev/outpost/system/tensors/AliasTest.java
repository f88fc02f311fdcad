package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.GradMode;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes are visible to all views of the storage, and to autograd. */
class AliasTest extends MockTest {

    @Test
    @Tag("quick")
    void aWriteThroughAViewIsSeenByTheBaseAndItsSiblings() {
        Tensor base = counting(2, 3);
        Tensor row = base.select(0, 1);
        Tensor flat = base.view(6);
        Tensor turned = base.t();
        row.mul_(10);
        assertValues("[2, 3]", base, 0, 1, 2, 30, 40, 50);
        assertValues("[6]", flat, 0, 1, 2, 30, 40, 50);
        assertValues("[3, 2]", turned, 0, 30, 1, 40, 2, 50);
    }

    @Test
    @Tag("quick")
    void aWriteToTheBaseIsSeenByViews() {
        Tensor base = counting(2, 3);
        Tensor column = base.select(1, 2);
        base.add_(1);
        assertValues("[2]", column, 3, 6);
        base.copy_(machine.zeros(2, 3));
        assertValues("[2]", column, 0, 0);
    }

    @Test
    void aTransposedViewIsWrittenWhereItLies() {
        Tensor base = counting(2, 3);
        base.t().copy_(counting(3, 2).mul(10));
        assertValues("[2, 3]", base, 0, 20, 40, 10, 30, 50);
    }

    @Test
    void aWindowOfAViewIsWritten() {
        Tensor base = counting(4, 4);
        base.slice(0, 1, 4, 2).slice(1, 0, 4, 3).fill_(-1);
        assertValues("[4, 4]", base, 0, 1, 2, 3, -1, 5, 6, -1, 8, 9, 10, 11, -1, 13, 14, -1);
        base.diagonal().zero_();
        assertValues("[4]", base.select(1, 1), 1, 0, 9, 13);
    }

    @Test
    @Tag("quick")
    void anExpandedViewIsRefused() {
        Tensor wide = counting(3, 1).expand(3, 2);
        assertRefuses(
                "add_: a view whose elements share memory cannot be written, got [3, 2] strides [1, 0] offset 0;"
                        + " clone first",
                () -> wide.add_(1));
    }

    @Test
    void copiesAreApart() {
        Tensor base = counting(4);
        Tensor copy = base.clone();
        Tensor reshaped = base.view(2, 2).t().reshape(4);
        Tensor repeated = base.repeat(1);
        base.zero_();
        assertValues("[4]", copy, 0, 1, 2, 3);
        assertValues("[4]", reshaped, 0, 2, 1, 3);
        assertValues("[4]", repeated, 0, 1, 2, 3);
    }

    @Test
    void aDetachedTensorSharesStorage() {
        Tensor base = counting(3);
        base.detach().add_(5);
        assertValues("[3]", base, 5, 6, 7);
    }

    @Test
    @Tag("quick")
    void gradientsGoAroundWhatWasOverwritten() {
        Tensor x = counting(2, 3).requiresGrad(true);
        Tensor scale = counting(3).add(1).requiresGrad(true);
        Tensor y = x.mul(2);
        y.select(0, 0).mul_(scale);
        y.sum().backward();
        assertValues("[2, 3]", x.grad(), 2, 4, 6, 2, 2, 2);
        assertValues("[3]", scale.grad(), 0, 2, 4);
    }

    @Test
    void aViewThatWasMadeBeforeTheWriteSeesItsGradient() {
        Tensor x = counting(4).requiresGrad(true);
        Tensor y = x.mul(1);
        Tensor early = y.view(2, 2).t();
        y.slice(0, 0, 2).zero_();
        early.mul(early).sum().backward();
        assertValues("[4]", x.grad(), 0, 0, 4, 6);
    }

    @Test
    void savedValuesAreUnchangedByLaterWrites() {
        Tensor x = counting(3).add(1).requiresGrad(true);
        Tensor y = x.mul(1);
        Tensor squared = y.mul(y);
        y.zero_();
        squared.sum().backward();
        assertValues("[3]", x.grad(), 2, 4, 6);
    }

    @Test
    void writesByIndexAreDifferentiable() {
        Tensor x = counting(4).requiresGrad(true);
        Tensor value = counting(2).add(5).requiresGrad(true);
        Tensor y = x.mul(3);
        y.set(value, Index.of(indices(2, 0)));
        y.mul(counting(4).add(1)).sum().backward();
        assertValues("[4]", x.grad(), 0, 6, 0, 12);
        assertValues("[2]", value.grad(), 3, 1);
    }

    @Test
    void viewsThatShareMemoryAddTheirGradients() {
        Tensor x = counting(4).requiresGrad(true);
        x.unfold(0, 3, 1).mul(counting(2, 3).add(1)).sum().backward();
        assertValues("[4]", x.grad(), 1, 6, 8, 6);
        Tensor one = machine.ones(1).requiresGrad(true);
        one.expand(2, 3).sum().backward();
        assertValues("[1]", one.grad(), 6);
    }

    @Test
    void gradientsOfGradientsThroughViews() {
        Tensor x = counting(2, 2).requiresGrad(true);
        Tensor y = x.t().select(0, 1);
        Tensor cubes = y.mul(y).mul(y).sum();
        Tensor slope = Autograd.grad(cubes, List.of(x), null, true, true).get(0);
        assertValues("[2, 2]", slope, 0, 3, 0, 27);
        slope.sum().backward();
        assertValues("[2, 2]", x.grad(), 0, 6, 0, 18);
    }

    @Test
    void aViewOfWhatNeedsNoGradientCanBeALeaf() {
        Tensor base = machine.arange(6).float64();
        Tensor leaf = base.view(2, 3).requiresGrad(true);
        leaf.mul(2).sum().backward();
        assertValues("[2, 3]", leaf.grad(), 2, 2, 2, 2, 2, 2);
        assertEquals(true, leaf.isLeaf());
        assertEquals(false, base.requiresGrad());
    }

    @Test
    void aLeafIsWrittenOnlyWithoutGrad() {
        Tensor x = counting(3).requiresGrad(true);
        assertRefuses(
                "add_: a leaf that requires gradients cannot be written in place, got tensor float64[3]; write it"
                        + " inside of GradMode.noGrad, or use the op that makes a new tensor",
                () -> x.add_(1));
        GradMode.noGrad(() -> {
            x.slice(0, 1, 2).add_(5);
        });
        assertValues("[3]", x, 0, 6, 2);
        assertEquals(true, x.isLeaf());
    }

    @Test
    void closingABaseLeavesItsViews() {
        Tensor base = counting(3);
        Tensor part = base.slice(0, 1, 3);
        base.close();
        assertValues("[2]", part, 1, 2);
    }
}
