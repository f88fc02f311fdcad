package dev.outpost.system.k8s.faults;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every disturbance at every step of a machine's life, with the outcome that the table expects. */
class FaultMatrixTest {
    /** The client lives, so that nothing is to end by it. */
    private static final Duration LEASE = Duration.ofMinutes(3);

    static Stream<Cell> cells() {
        return FaultMatrix.cells().stream()
                .filter(Cell::isPlayed)
                .filter(cell -> cell.disturbance() != Disturbance.CLIENT_KILLED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cells")
    void endsAsExpected(Cell cell) throws InterruptedException {
        try (Stage stage = new Stage(LEASE)) {
            new Trial(cell, stage).run();
        }
    }
}
