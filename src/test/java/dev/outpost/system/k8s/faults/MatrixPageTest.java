package dev.outpost.system.k8s.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page for users shows the table of the tests, which is complete. */
@Tag("quick")
class MatrixPageTest {
    private static final Path PAGE = Path.of("../../docs/kubernetes-faults.md");

    @Test
    void thePageIsTheTable() throws IOException {
        if (Boolean.getBoolean("outpost.docs.write")) {
            Files.writeString(PAGE, MatrixPage.text());
        }
        assertEquals(MatrixPage.text(), Files.readString(PAGE), "-Doutpost.docs.write=true writes the page anew");
    }

    @Test
    void everythingIsExpectedSomehowAtEveryStep() {
        Stream<String> pairs =
                FaultMatrix.cells().stream().map(faultCase -> faultCase.step() + " " + faultCase.disturbance());
        assertEquals(
                MachineStep.values().length * Disturbance.values().length,
                pairs.distinct().count());
    }
}
