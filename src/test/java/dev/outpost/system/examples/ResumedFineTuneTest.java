package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.examples.tuning.FineTuneSmallModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fine-tune that was killed half way continues with the same curve as one that was not killed. */
@Tag("full")
class ResumedFineTuneTest {
    private static final int STEPS = 40;

    @TempDir
    private Path folder;

    private Process start(String kept) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FineTuneSmallModel.class.getName(),
                        "mock",
                        "A100",
                        "20",
                        "" + STEPS,
                        folder.resolve(kept).toString())
                .redirectErrorStream(true)
                .start();
    }

    private void finish(String kept) throws Exception {
        Process process = start(kept);
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), text);
    }

    /** Step, epoch, loss, norm, rate and tokens of each step; not its times, nor evaluations and checkpoints. */
    private List<String> steps(String kept) throws IOException {
        return Files.readAllLines(folder.resolve(kept).resolve("losses/metrics.csv")).stream()
                .map(line -> List.of(line.split(",", -1)))
                .filter(cells -> !cells.get(3).isEmpty())
                .map(cells -> cells.getFirst() + "," + String.join(",", cells.subList(2, 7)))
                .toList();
    }

    @Test
    void theCurveOfAKilledRunIsThatOfAWholeOne() throws Exception {
        finish("whole");
        Process killed = start("killed");
        try (BufferedReader said = killed.inputReader()) {
            String line = said.readLine();
            while (line != null && !line.startsWith("checkpoint after step 10")) {
                line = said.readLine();
            }
            assertNotNull(line, "it ended before its first checkpoint");
            killed.destroyForcibly().waitFor();
        }
        int lines = steps("killed").size();
        assertTrue(lines < STEPS + 1, "it was killed too late");
        finish("killed");
        assertEquals(STEPS + 1, steps("whole").size());
        assertEquals(steps("whole"), steps("killed"));
    }
}
