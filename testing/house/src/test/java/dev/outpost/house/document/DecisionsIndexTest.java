package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DecisionsIndexTest {
    private static final Path FOLDER = Path.of("../../docs/adr");
    private static final Pattern ROW = Pattern.compile("^\\| \\[\\d+]\\((\\S+)\\) \\|", Pattern.MULTILINE);

    @Test
    void eachDecisionHasOneRowInTheIndex() throws IOException {
        List<String> rows = ROW.matcher(Files.readString(FOLDER.resolve("README.md")))
                .results()
                .map(row -> row.group(1))
                .sorted()
                .toList();
        try (Stream<Path> pages = Files.list(FOLDER)) {
            List<String> decisions = pages.map(page -> page.getFileName().toString())
                    .filter(name -> name.matches("\\d+-.*"))
                    .sorted()
                    .toList();
            assertEquals(decisions, rows);
        }
    }
}
