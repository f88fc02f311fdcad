package dev.outpost.house.prose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentencesCheckTest {
    @Test
    void noModuleHasMoreOddSentencesThanItsLimit() throws IOException {
        Path root = Path.of("../..").toAbsolutePath().normalize();
        assertEquals(List.of(), SentencesCheck.of(root).problems());
    }

    @Test
    void oddSentenceMoreIsAProblemAndLimitsOnlyBecomeLower(@TempDir Path root) throws IOException {
        Path page = root.resolve("docs/page.md");
        Path limits = root.resolve("testing/house/sentence-limits.tsv");
        Files.createDirectories(page.getParent());
        Files.createDirectories(limits.getParent());
        Files.writeString(page, "Nobody reads it. Somebody writes it.\n");
        SentencesCheck.of(root).lower();
        assertEquals(List.of(), SentencesCheck.of(root).problems());

        Files.writeString(page, "Nobody reads it.\n");
        SentencesCheck.of(root).lower();
        Files.writeString(page, "Nobody reads it. Somebody writes it.\n");
        SentencesCheck.of(root).lower();
        assertEquals(
                List.of("docs: 2 odd sentences, the limit is 1; ./outpost sentences docs prints them"),
                SentencesCheck.of(root).problems());
    }
}
