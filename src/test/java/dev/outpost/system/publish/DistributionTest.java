package dev.outpost.system.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.publish.ExternalProgram.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The zip brings command line, runtime, backend and relay to a host without a clone. */
@Tag("full")
class DistributionTest {
    @TempDir
    static Path folder;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        ExternalProgram.in(folder, "unzip", "-q", Publication.shared().zip().toString())
                .run();
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

    /** The runtime of the zip is prepared once, in the user's cache folder, and started as a process. */
    @Test
    void demoTrainsOnAProcess() throws Exception {
        Printed printed = outpost("demo", "--epochs", "1", "--machine", "process:any");
        assertTrue(printed.out().contains("training on process-any"), printed::out);
        assertTrue(printed.out().contains("test accuracy"), printed::out);
        try (var caches = Files.list(folder.resolve("cache/outpost"))) {
            assertEquals(
                    1,
                    caches.filter(file -> file.getFileName().toString().matches("runtime-\\d+\\.aot"))
                            .count());
        }
    }

    /** The first command writes what it loads to the user's cache folder, and later ones map it into memory. */
    @Test
    void commandsStartFromACache() throws Exception {
        String first = outpost("gpus").out();
        try (var caches = Files.list(folder.resolve("cache/outpost"))) {
            Path cache = caches.filter(file -> file.getFileName().toString().matches("cli-\\d+\\.aot"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(Files.size(cache) > 1_000_000, () -> cache + " is empty");
            assertEquals(new Printed(first, ""), outpost("gpus"));
            Files.write(cache, new byte[1000]);
            assertEquals(new Printed(first, ""), outpost("gpus"), "a damaged cache");
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
    void relayDrawsASecret() throws Exception {
        assertTrue(outpost("relay", "--new-secret").out().strip().matches("[A-Za-z0-9_-]{43}"));
    }

    /** A runtime without the parts for models would fail with another message. */
    @Test
    void modelsAreReadByAMachine() throws Exception {
        String missing = folder.resolve("no-model").toUri().toString();
        Printed printed = ExternalProgram.in(folder, home.resolve("bin/outpost").toString(), "models", "info", missing)
                .run(1);
        assertTrue(printed.err().contains("open: there is nothing at file:"), printed::err);
        assertTrue(outpost("generate", "--help").out().contains("--max-tokens"));
    }

    @Test
    void workerPrintsItsHelp() throws Exception {
        assertTrue(outpost("worker", "--help").out().contains("--join"));
    }

    @Test
    void commandsOfTheLocalNetworkPrintTheirHelp() throws Exception {
        assertTrue(outpost("workers", "--help").out().contains("pair"));
        assertTrue(outpost("onnx", "--help").out().contains("split"));
    }

    @Test
    void theComparisonWithPyTorchNeedsASourceTree() throws Exception {
        Printed printed = ExternalProgram.in(folder, home.resolve("bin/outpost").toString(), "parity", "--torch")
                .run(1);
        assertEquals(
                "outpost: parity compares Outpost with PyTorch, which needs a source tree: call ./outpost parity there.\n",
                printed.err());
    }

    @Test
    void theCheckOfAGpuNeedsASourceTreeOrItsPack() throws Exception {
        Printed printed = ExternalProgram.in(folder, home.resolve("bin/outpost").toString(), "gpu-check")
                .run(1);
        assertEquals(
                "outpost: gpu-check checks the CUDA engine, which needs a source tree or its pack: call ./outpost gpu-check there.\n",
                printed.err());
    }

    /** Versions are resolved for the zip as a whole, and for each program separately; they have to be equal. */
    @ParameterizedTest
    @ValueSource(strings = {"cli", "cli-models", "cli-lan", "relay"})
    void everyJarOnAClassPathIsThere(String program) throws Exception {
        String[] jars = Files.readString(home.resolve("lib/" + program + ".classpath"))
                .strip()
                .split(":");
        assertTrue(jars.length > 5, program);
        List<String> missing = Stream.of(jars)
                .filter(jar -> !Files.isRegularFile(home.resolve(jar)))
                .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void licencesAndListsOfPartsLieInTheZip() {
        for (String file : List.of("LICENSE", "NOTICE", "THIRD-PARTY.txt", "parts/cli.json", "parts/relay.json")) {
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
        return ExternalProgram.in(folder, words)
                .with("XDG_CACHE_HOME", folder.resolve("cache").toString())
                .run();
    }
}
