package dev.outpost.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DigitsTest {
    private static final int IMAGES = 1797;

    @Test
    void thereAreAsManyOfEachDigitAsIsKnown() {
        TensorDataset digits = Digits.load();
        assertEquals(Shape.of(IMAGES, Digits.PIXELS), digits.x().shape());
        assertEquals(DType.FLOAT32, digits.x().dtype());
        assertEquals(DType.INT64, digits.y().dtype());
        assertArrayEquals(new int[] {178, 182, 177, 183, 181, 182, 181, 179, 174, 180}, counts(digits.y()));
    }

    @Test
    void pixelsAreBetweenZeroAndOne() {
        float[] pixels = Digits.load().x().toFloatArray();
        float largest = 0;
        for (float pixel : pixels) {
            assertTrue(pixel >= 0 && pixel <= 1);
            largest = Math.max(largest, pixel);
        }
        assertEquals(1, largest);
        assertEquals(5 / 16f, pixels[2]);
    }

    @Test
    void splitsFollowFromTheSeed() {
        Digits.Split split = Digits.split(3, 360);
        assertEquals(360, split.test().size());
        assertEquals(IMAGES - 360, split.train().size());
        assertEquals(split, Digits.split(3, 360));
        assertTrue(!split.equals(Digits.split(4, 360)));
    }

    @Test
    void holdoutIsLimited() {
        OpException refusal = assertThrows(OpException.class, () -> Digits.split(0, 1798));
        assertEquals("digits: there are 1797 images, got 1798 to hold out", refusal.getMessage());
    }

    private static int[] counts(HostTensor labels) {
        int[] counts = new int[10];
        Arrays.stream(labels.toLongArray()).forEach(label -> counts[(int) label]++);
        return counts;
    }
}
