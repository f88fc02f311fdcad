package dev.outpost.system.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.cli.Outpost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page docs/reference/commands.md has every command and option. {@code -Doutpost.golden=write} writes it. */
@Tag("quick")
class CommandsPageTest {
    private static final Path PAGE = Path.of("../../docs/reference/commands.md");

    @Test
    void pageHasEveryCommandAndOption() throws IOException {
        String expected = CommandsPage.of(Outpost.commandLine(true));
        // Commands of the modules cli/models and cli/lan, and a command of the launcher.
        assertTrue(expected.contains("\n## generate\n") && expected.contains("\n## workers\n"), expected);
        assertTrue(expected.contains("\n## docs\n"), expected);
        if ("write".equals(System.getProperty("outpost.golden"))) {
            Files.writeString(PAGE, expected);
        } else {
            assertEquals(expected, Files.readString(PAGE));
        }
    }
}
