package dev.outpost.examples.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example runs from its first step to text on a new machine. */
class TrainAndServeTest {
    @Test
    void aModelIsTrainedSavedLoadedAndGenerates(@TempDir Path root) throws Exception {
        // A hundred thousand float32 weights are sent to the store without passing through the program.
        run(TrainAndServe.Size.TINY, root, 400_000, 300_000);
    }

    @Test
    @Tag("full")
    void aModelOfMillionsIsTrainedSavedLoadedAndGenerates(@TempDir Path root) throws Exception {
        run(TrainAndServe.Size.MILLIONS, root, 12_000_000, 1_000_000);
    }

    private static void run(TrainAndServe.Size size, Path root, long minSaved, long maxSent) throws Exception {
        Files.writeString(root.resolve("Text.java"), "class Text { int number = 1; }\n".repeat(50));
        List<String> told = new ArrayList<>();
        String text = new TrainAndServe(told::add, size).run(2, root, "class ", 8);
        assertTrue(text.startsWith("class "), text);
        assertEquals("1550 bytes of text", told.getFirst());
        String saved = told.stream()
                .filter(line -> line.contains("bytes saved"))
                .findFirst()
                .orElseThrow();
        String[] numbers = saved.split("\\D+");
        assertTrue(Long.parseLong(numbers[0]) > minSaved, saved);
        assertTrue(Long.parseLong(numbers[numbers.length - 1]) < maxSent, saved);
    }
}
