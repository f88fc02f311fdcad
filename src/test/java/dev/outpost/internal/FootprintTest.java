package dev.outpost.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class FootprintTest {
    private static final Layout WHOLE = Layout.contiguous(Shape.of(4, 6, 5));

    private static Footprint of(Layout layout) {
        return Footprint.of(layout);
    }

    @Test
    void partsOfOneTensorAreApart() {
        for (int dim = 0; dim < 3; dim++) {
            Footprint first = of(WHOLE.slice(dim, 0, 2, 1));
            Footprint second = of(WHOLE.slice(dim, 2, 2, 1));
            assertTrue(first.isApartFrom(second) && second.isApartFrom(first), "dimension " + dim);
            assertFalse(first.isApartFrom(of(WHOLE.slice(dim, 1, 2, 1))), "dimension " + dim);
        }
        Footprint even = of(WHOLE.slice(1, 0, 3, 2));
        assertTrue(even.isApartFrom(of(WHOLE.slice(1, 1, 3, 2))));
        assertFalse(even.isApartFrom(even));
    }

    /** Like queries, keys and values that are parts of one product's result. */
    @Test
    void headsOfTheSamePartsAreApart() {
        Layout projected = Layout.contiguous(Shape.of(2, 7, 24));
        Footprint[] heads = new Footprint[3];
        for (int part = 0; part < heads.length; part++) {
            heads[part] = of(projected
                    .slice(2, 8L * part, 8, 1)
                    .viewAs(Shape.of(2, 7, 2, 4))
                    .transpose(1, 2));
        }
        assertTrue(heads[0].isApartFrom(heads[1]));
        assertTrue(heads[2].isApartFrom(heads[0]));
        assertFalse(heads[1].isApartFrom(heads[1]));
    }

    /** Footprints that are reported as disjoint share no element, for arbitrary parts. */
    @Test
    void disjointFootprintsShareNoElement() {
        SplittableRandom random = new SplittableRandom(17);
        int apart = 0;
        for (int round = 0; round < 20_000; round++) {
            Layout first = part(random);
            Layout second = part(random);
            if (of(first).isApartFrom(of(second))) {
                apart++;
                BitSet both = elements(first);
                both.and(elements(second));
                assertEquals(0, both.cardinality(), first + " and " + second);
            }
        }
        assertTrue(apart > 1000, "only " + apart + " were apart");
    }

    private static Layout part(SplittableRandom random) {
        Layout part = WHOLE;
        for (int dim = 0; dim < 3; dim++) {
            long size = part.shape().size(dim);
            long step = random.nextInt(1, 4);
            long start = random.nextLong(size);
            long max = (size - start + step - 1) / step;
            part = part.slice(dim, start, random.nextLong(1, max + 1), step);
        }
        return part.transpose(random.nextInt(3), random.nextInt(3));
    }

    private static BitSet elements(Layout layout) {
        BitSet elements = new BitSet();
        Shape shape = layout.shape();
        for (int a = 0; a < shape.size(0); a++) {
            for (int b = 0; b < shape.size(1); b++) {
                for (int c = 0; c < shape.size(2); c++) {
                    elements.set((int)
                            (layout.offset() + a * layout.stride(0) + b * layout.stride(1) + c * layout.stride(2)));
                }
            }
        }
        return elements;
    }
}
