package dev.outpost.examples.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example runs from its first step to text on a new machine. */
class TrainAndServeTest {
    @Test
    void aModelIsTrainedSavedLoadedAndGenerates(@TempDir Path root) throws Exception {
        Files.writeString(root.resolve("Text.java"), "class Text { int number = 1; }\n".repeat(50));
        List<String> told = new ArrayList<>();
        String text = new TrainAndServe(told::add).run(2, root, "class ", 8);
        assertTrue(text.startsWith("class "), text);
        assertEquals("1550 bytes of text", told.getFirst());
        String saved = told.stream()
                .filter(line -> line.contains("bytes saved"))
                .findFirst()
                .orElseThrow();
        String[] numbers = saved.split("\\D+");
        // 3.2 million float32 weights went to the store, and not through the program.
        assertTrue(Long.parseLong(numbers[0]) > 12_000_000, saved);
        assertTrue(Long.parseLong(numbers[numbers.length - 1]) < 1_000_000, saved);
    }
}
