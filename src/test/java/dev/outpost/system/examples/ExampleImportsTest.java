package dev.outpost.system.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A script of the usual size needs few imports of this project: the packages are designed for that. ExamplesTest and GroupExamplesTest run
 * the examples.
 */
@Tag("quick")
class ExampleImportsTest {
    private static final Path FOLDER = Path.of("../../examples/src/main/java/dev/outpost/examples");
    private static final int LINES = 60;
    private static final int IMPORTS = 5;
    /** Programs that train or define a model, with about fifty lines each. */
    private static final List<String> TYPICAL =
            List.of("DigitsByScan.java", "LinearRegression.java", "TransformerBlock.java");

    @Test
    void shortExamplesHaveAtMostFiveImportsOfOurs() throws IOException {
        Map<String, Long> imports = importsOfShortExamples();
        assertTrue(imports.keySet().containsAll(TYPICAL), imports::toString);
        imports.values().removeIf(count -> count <= IMPORTS);
        assertEquals(Map.of(), imports);
    }

    private static Map<String, Long> importsOfShortExamples() throws IOException {
        Map<String, Long> imports = new TreeMap<>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                List<String> lines = Files.readAllLines(file);
                if (lines.size() <= LINES) {
                    imports.put(file.getFileName().toString(), count(lines));
                }
            }
        }
        return imports;
    }

    private static long count(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches("import (static )?dev\\.outpost\\..*"))
                .count();
    }
}
