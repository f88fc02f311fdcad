package dev.outpost.gpucheck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.gpucheck.part.CheckPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about the engine has a row for each part, in order, which states whether its question is open. */
@Tag("quick")
class PartsPageTest {
    private static final Pattern ROW = Pattern.compile("\\| `([a-z]+)` \\| ([^|]+\\?) \\| (open|known)\\b[^|]+\\|");

    @Test
    void thePageAndTheCodeSayTheSame() throws IOException {
        List<String> page = Files.readAllLines(Path.of("../../docs/gpu.md")).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> row.group(1) + ", " + row.group(2) + ", " + row.group(3))
                .toList();
        assertEquals(
                Arrays.stream(CheckPart.values())
                        .map(part -> part + ", " + part.question() + ", " + PartList.state(part))
                        .toList(),
                page);
    }
}
