package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.documents.DocumentPage;
import dev.outpost.support.documents.SourceCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/serving.md compiles with the official client. */
class ServingPageTest {
    @TempDir
    private Path folder;

    @Test
    void codeCompiles() throws IOException {
        Path page = Path.of("docs/serving.md");
        DocumentPage document =
                DocumentPage.parse(page, Files.readAllLines(Path.of("..").resolve(page)));
        assertTrue(document.needs("server"));
        Path source = Files.writeString(folder.resolve(document.scriptName() + ".java"), document.script());
        assertEquals("", SourceCompiler.compile(List.of(source), folder));
    }
}
