package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the code of each tutorial from top to bottom, as a reader would type it into {@code ./outpost jshell}, and compares what it prints with
 * the block behind it. {@code -Doutpost.golden=write} writes these blocks. Blocks after a comment "not run" are for other shells.
 */
@Tag("full")
class TutorialsTest {
    private static final Path PAGES = Path.of("../../docs/tutorials");
    private static final Pattern BLOCK = Pattern.compile(
            "(?<!<!-- not run -->\n)```java\n(.*?)```\n(?:(\nIt prints:\n\n```text\n)(.*?)```\n)?", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"first-tensor.md", "train.md", "programs.md", "groups.md"})
    void codePrintsWhatThePageShows(String name) throws IOException {
        Path file = PAGES.resolve(name);
        String page = Files.readString(file);
        StringBuilder expected = new StringBuilder();
        try (TutorialShell shell = new TutorialShell()) {
            Matcher block = BLOCK.matcher(page);
            int blocks = 0;
            while (block.find()) {
                String printed = shell.run(block.group(1));
                String result = "```java\n" + block.group(1) + "```\n";
                if (!printed.isBlank()) {
                    result += "\nIt prints:\n\n```text\n" + printed.stripTrailing() + "\n```\n";
                }
                block.appendReplacement(expected, Matcher.quoteReplacement(result));
                blocks++;
            }
            block.appendTail(expected);
            assertTrue(blocks > 3, name + " has " + blocks + " blocks");
        }
        if ("write".equals(System.getProperty("outpost.golden"))) {
            Files.writeString(file, expected.toString());
        } else {
            assertEquals(expected.toString(), page);
        }
    }
}
