package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.publish.Command.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The zip brings command line, runtime and backend to a host without a clone. */
@Tag("full")
@Timeout(900)
class DistributionTest {
    @TempDir
    static Path folder;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        Command.in(folder, "unzip", "-q", Publication.shared().zip().toString()).run();
        home = folder.resolve("outpost-" + Publication.VERSION);
    }

    @Test
    void versionIsPrinted() throws Exception {
        assertTrue(outpost("--version").out().startsWith("outpost " + Publication.VERSION));
    }

    @Test
    void demoTrainsOnTheMock() throws Exception {
        Printed printed = outpost("demo", "--epochs", "1");
        assertTrue(printed.out().contains("test accuracy"), printed::out);
    }

    /** The runtime of the zip is prepared once, in the user's folder for caches, and started as a process. */
    @Test
    void demoTrainsOnAProcess() throws Exception {
        Printed printed = outpost("demo", "--epochs", "1", "--machine", "process:any");
        assertTrue(printed.out().contains("training on process-any"), printed::out);
        assertTrue(printed.out().contains("test accuracy"), printed::out);
        try (var caches = Files.list(folder.resolve("cache/outpost"))) {
            assertEquals(
                    1, caches.filter(file -> file.toString().endsWith(".aot")).count());
        }
    }

    @Test
    void launcherIsFoundThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("linked"), home.resolve("bin/outpost"));
        assertTrue(run(link, "--version").out().startsWith("outpost "));
    }

    @Test
    void backendPrintsItsHelp() throws Exception {
        assertTrue(outpost("backend", "--help").out().contains("backend"));
    }

    @Test
    void licencesAndListsOfPartsLieInTheZip() {
        for (String file : List.of("LICENSE", "NOTICE", "THIRD-PARTY.txt", "parts/cli.json")) {
            assertTrue(Files.isRegularFile(home.resolve(file)), file);
        }
    }

    private Printed outpost(String... arguments) throws IOException, InterruptedException {
        return run(home.resolve("bin/outpost"), arguments);
    }

    private Printed run(Path launcher, String... arguments) throws IOException, InterruptedException {
        String[] words = new String[arguments.length + 1];
        words[0] = launcher.toString();
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return Command.in(folder, words)
                .with("XDG_CACHE_HOME", folder.resolve("cache").toString())
                .run();
    }
}
