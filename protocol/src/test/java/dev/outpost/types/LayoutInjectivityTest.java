package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link Layout#isInjective} may say no too often, as PyTorch does, but never yes wrongly. */
@Tag("quick")
class LayoutInjectivityTest {

    @Test
    void yesIsNeverWrong() {
        Trials.repeat(20_000, 1, random -> {
            Layout layout = NaiveLayout.randomLayout(random);
            if (layout.isInjective()) {
                assertTrue(NaiveLayout.of(layout).isInjective(), layout::toString);
            }
        });
    }

    @Test
    void saysYesToWhatComesFromAContiguousStorage() {
        Layout whole = Layout.contiguous(Shape.of(4, 3, 5));
        assertTrue(whole.permute(2, 0, 1).isInjective());
        assertTrue(whole.slice(0, 1, 2, 2).transpose(0, 2).isInjective());
        assertTrue(whole.select(1, 2).unsqueeze(0).isInjective());
    }

    @Test
    void saysNoToRepeatedElements() {
        assertFalse(Layout.contiguous(Shape.of(1, 3)).expand(Shape.of(2, 3)).isInjective());
        assertFalse(Layout.of(Shape.of(3, 2), new long[] {1, 1}, 0).isInjective());
    }

    @Test
    void aSingleElementOrNoneNeverMeetsItself() {
        assertTrue(Layout.of(Shape.of(1, 1), new long[] {0, 0}, 3).isInjective());
        assertTrue(Layout.of(Shape.of(0, 5), new long[] {0, 0}, 3).isInjective());
    }

    /** Places 0, 2, 4, 3, 5, 7: injective, but the dimensions do not nest. */
    @Test
    void answerIsConservativeWhereDimensionsInterleave() {
        Layout interleaved = Layout.of(Shape.of(2, 3), new long[] {3, 2}, 0);
        assertTrue(NaiveLayout.of(interleaved).isInjective());
        assertFalse(interleaved.isInjective());
    }

    /** For a single dimension the answer is exact. */
    @Test
    void answerIsExactForOneDimension() {
        for (long stride = 0; stride < 3; stride++) {
            for (long size = 0; size < 4; size++) {
                Layout layout = Layout.of(Shape.of(size), new long[] {stride}, 0);
                assertEquals(
                        NaiveLayout.of(layout).isInjective(), layout.isInjective(), Arrays.toString(layout.strides()));
            }
        }
    }
}
