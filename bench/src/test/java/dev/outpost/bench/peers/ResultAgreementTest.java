package dev.outpost.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.bench.peers.workload.MatmulWorkload;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ResultAgreementTest {
    private final ResultAgreement agreement = new ResultAgreement(new MatmulWorkload(2));

    @Test
    void aDifferenceIsJudgedByTheLargestMagnitude() {
        agreement.require("djl", new float[] {-1000, 1}, "scoped", new float[] {-1000, 1.009f});
        assertEquals(
                "matmul-2: at 1 scoped has 1.5 and djl 1.0, 5.0E-4 of the largest magnitude apart where 1.0E-5 is allowed",
                refusal(new float[] {-1000, 1}, new float[] {-1000, 1.5f}));
    }

    @Test
    void notANumberAgreesWithNothing() {
        assertEquals(
                "matmul-2: at 0 scoped has NaN and djl 1.0, NaN of the largest magnitude apart where 1.0E-5 is allowed",
                refusal(new float[] {1}, new float[] {Float.NaN}));
    }

    @Test
    void resultsOfAnotherLengthDoNotAgree() {
        assertEquals("matmul-2: scoped has 1 elements and djl 2", refusal(new float[] {1, 2}, new float[] {1}));
    }

    @Test
    void zerosSayNothing() {
        assertEquals(
                "matmul-2: djl has nothing to compare with, its largest magnitude is 0.0",
                refusal(new float[] {0}, new float[] {0}));
    }

    private String refusal(float[] expected, float[] actual) {
        return assertThrows(Disagreement.class, () -> agreement.require("djl", expected, "scoped", actual))
                .getMessage();
    }
}
