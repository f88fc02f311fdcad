package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link Layout#viewAs} answers null exactly where no strides can say it. Where places are given, the stride of every
 * dimension with more than one index follows from the first two of them, so that trying that one set of strides is a
 * proof. (PyTorch's computeStride is exact in this sense too, so there is no conservative case to allow.)
 */
class LayoutViewTest {

    @Test
    @Tag("quick")
    void viewIsExactOverRandomLayouts() {
        Trials.repeat(3_000, 1, random -> {
            Layout layout = NaiveLayout.randomLayout(random);
            assertExact(layout, ViewTargets.random(layout.shape(), random));
        });
    }

    /** All shapes up to 12 elements, all strides up to 6. */
    @Test
    void viewIsExactOverAllSmallLayouts() {
        for (int elements = 1; elements <= 12; elements++) {
            List<Shape> shapes = ViewTargets.of(elements, 3);
            for (Shape shape : shapes) {
                NaiveLayout.indices(sevens(shape.rank()))
                        .forEach(strides -> assertExact(Layout.of(shape, strides, 1), shapes));
            }
        }
    }

    @Test
    @Tag("quick")
    void splitsAndJoinsDimensions() {
        Layout transposed = Layout.contiguous(Shape.of(2, 6)).transpose(0, 1);
        assertEquals(Layout.of(Shape.of(2, 3, 2), new long[] {3, 1, 6}, 0), transposed.viewAs(Shape.of(2, 3, 2)));
        assertNull(transposed.viewAs(Shape.of(12)));
        assertNull(transposed.viewAs(Shape.of(4, 3)));
    }

    private static long[] sevens(int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 7);
        return sizes;
    }

    private static void assertExact(Layout layout, List<Shape> targets) {
        targets.forEach(target -> assertExact(layout, target));
    }

    private static void assertExact(Layout layout, Shape target) {
        NaiveLayout expected = NaiveLayout.of(layout).reshaped(target.toArray());
        Layout view = layout.viewAs(target);
        if (view != null) {
            assertEquals(expected, NaiveLayout.of(view), () -> layout + " as " + target);
        } else {
            assertNull(strided(expected), () -> layout + " as " + target);
        }
    }

    /** The only layout that can have these places, if it has. */
    private static Layout strided(NaiveLayout places) {
        if (places.at().isEmpty()) {
            return Layout.contiguous(Shape.of(places.sizes()));
        }
        Shape shape = Shape.of(places.sizes());
        long[] steps = shape.contiguousStrides();
        long[] strides = new long[shape.rank()];
        for (int dim = 0; dim < strides.length; dim++) {
            strides[dim] = shape.size(dim) == 1
                    ? 0
                    : places.at().get((int) steps[dim]) - places.at().getFirst();
            if (strides[dim] < 0) {
                return null;
            }
        }
        Layout candidate = Layout.of(shape, strides, places.at().getFirst());
        return NaiveLayout.of(candidate).equals(places) ? candidate : null;
    }
}
