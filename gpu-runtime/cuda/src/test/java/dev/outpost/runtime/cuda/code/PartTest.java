package dev.outpost.runtime.cuda.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PartTest {
    @Test
    void lineWithNameBecomesArray() {
        assertEquals("""
                before
                static __device__ const f64 erfinv_OUTER_BELOW[] = {
                    1,
                    3.543889200,
                    1.637067800
                };
                after
                """, Part.withCoefficients("before\nCOEFFICIENTS(erfinv_OUTER_BELOW)\nafter\n"));
    }

    @Test
    void everyPartHasItsCoefficients() {
        for (Part part : Part.values()) {
            assertFalse(part.text().contains("COEFFICIENTS("), () -> part + " has a name without coefficients");
        }
        assertTrue(Part.AIRY
                .text()
                .contains("static __device__ const f64 airy_AI_MIDDLE[] = {\n    0.11441319165693552,"));
    }
}
