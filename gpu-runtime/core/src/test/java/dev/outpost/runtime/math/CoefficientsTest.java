package dev.outpost.runtime.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoefficientsTest {
    @Test
    void seriesIsInOrderOfFile() {
        assertEquals(List.of("1", "3.543889200", "1.637067800"), Coefficients.texts("erfinv_OUTER_BELOW"));
        assertArrayEquals(new double[] {1, 3.5438892, 1.6370678}, Coefficients.of("erfinv_OUTER_BELOW"));
        assertEquals(38, Coefficients.of("quantile_QUANTILE_FAR").length);
    }

    @Test
    void unknownNameIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Coefficients.of("no_such_series"));
    }
}
