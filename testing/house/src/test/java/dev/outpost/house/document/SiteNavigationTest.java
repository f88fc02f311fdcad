package dev.outpost.house.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The navigation of the documentation site ({@code mkdocs.yml}) has each page of docs once. The index of decisions lists the decisions. */
class SiteNavigationTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String SOURCE = "source/";
    private static final Pattern ENTRY = Pattern.compile("^ +- [^:]+: (\\S+\\.md)$", Pattern.MULTILINE);
    private static final Pattern DECISION = Pattern.compile("adr/\\d.*");

    private static List<String> entries() throws IOException {
        String file = Files.readString(ROOT.resolve("mkdocs.yml"));
        return ENTRY.matcher(file.substring(file.indexOf("\nnav:\n")))
                .results()
                .map(entry -> entry.group(1))
                .toList();
    }

    @Test
    void navigationNamesEachPageOnce() throws IOException {
        Path docs = ROOT.resolve("docs");
        List<String> pages;
        try (Stream<Path> files = Files.walk(docs)) {
            pages = files.map(file -> docs.relativize(file).toString().replace('\\', '/'))
                    .filter(page ->
                            page.endsWith(".md") && !DECISION.matcher(page).matches())
                    .sorted()
                    .toList();
        }
        assertTrue(pages.size() > 30, pages::toString);
        List<String> named = entries().stream()
                .filter(entry -> !entry.startsWith(SOURCE))
                .sorted()
                .toList();
        assertEquals(pages, named);
    }

    @Test
    void otherEntriesAreFilesOfTheRepository() throws IOException {
        List<String> others = entries().stream()
                .filter(entry -> entry.startsWith(SOURCE))
                .map(entry -> entry.substring(SOURCE.length()))
                .toList();
        assertTrue(others.contains("ARCHITECTURE.md"), others::toString);
        assertEquals(
                List.of(),
                others.stream()
                        .filter(entry -> !Files.exists(ROOT.resolve(entry)))
                        .toList());
    }
}
