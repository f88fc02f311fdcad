package dev.outpost.cli.backend.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the names of a run's files. */
class ArtefactTargetTest {
    @ParameterizedTest
    @CsvSource({
        "results, ../evil",
        "results, a/../../evil",
        "results, /etc/evil",
        "results, ''",
        "results, .",
        "., ../evil",
        ".., ../evil",
        "../results, ../../evil"
    })
    void filesLieInTheFolder(String to, String path) {
        assertThrows(IllegalStateException.class, () -> JobsCommand.Artefacts.target(Path.of(to), path));
    }

    @Test
    void theFolderMayBeThePresentOneOrOneAboveIt() {
        Path here = Path.of("").toAbsolutePath();
        assertEquals(here.resolve("a/b"), JobsCommand.Artefacts.target(Path.of("."), "a/b"));
        assertEquals(here.getParent().resolve("a"), JobsCommand.Artefacts.target(Path.of(".."), "a"));
    }
}
