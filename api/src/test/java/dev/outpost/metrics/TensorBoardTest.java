package dev.outpost.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TensorBoard itself reads the event files. Needs a Python with TensorBoard: {@code OUTPOST_PYTHON}, or {@code python3}. */
class TensorBoardTest {
    private static final String PYTHON =
            Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");

    private static final String READ = """
            import sys
            from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
            events = EventAccumulator(sys.argv[1])
            events.Reload()
            for tag in sorted(events.Tags()["scalars"]):
                print(tag, [(event.step, event.value) for event in events.Scalars(tag)])
            """;

    @Test
    void tensorBoardReadsWhatMetricsWrite(@TempDir Path folder) throws Exception {
        assumeTrue(canImport(), () -> PYTHON + " cannot import tensorboard");
        try (Metrics metrics = Metrics.to(folder)) {
            metrics.log(1, "loss/train", 0.5);
            metrics.log(2, "loss/train", 0.25);
            metrics.log(70_000, "accuracy", 1);
        }
        assertEquals("""
                accuracy [(70000, 1.0)]
                loss/train [(1, 0.5), (2, 0.25)]
                """, read(folder));
        try (Metrics metrics = Metrics.resume(folder, 1)) {
            metrics.log(2, "loss/train", 0.125);
        }
        assertEquals("accuracy []\nloss/train [(1, 0.5), (2, 0.125)]\n", read(folder), "later steps were dropped");
    }

    private static boolean canImport() throws InterruptedException {
        try {
            return new ProcessBuilder(PYTHON, "-c", "import tensorboard")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException ignored) {
            return false;
        }
    }

    private static String read(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(PYTHON, "-c", READ, folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor());
        return text;
    }
}
