package dev.outpost.system.k8s.faults;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every disturbance at every step of a machine's life, with the outcome that the table expects. */
class FaultMatrixTest {
    /** The client lives, so that nothing ends because of it. */
    private static final Duration LEASE = Duration.ofMinutes(3);

    static Stream<FaultCase> cells() {
        return FaultMatrix.cells().stream()
                .filter(FaultCase::isPlayed)
                .filter(faultCase -> faultCase.disturbance() != Disturbance.CLIENT_KILLED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void endsAsExpected(FaultCase faultCase) throws InterruptedException {
        try (SteppedCluster steppedCluster = new SteppedCluster(LEASE)) {
            new FaultTrial(faultCase, steppedCluster).run();
        }
    }
}
