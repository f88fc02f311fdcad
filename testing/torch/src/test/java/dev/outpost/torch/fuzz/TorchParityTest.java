package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchParityTest {
    private static final String PYTHON =
            Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    private int run(String python, Set<String> ops, int programs) {
        return new TorchParity(new PrintWriter(out, true))
                .run(() -> RemoteMachine.of("mock", "A100"), python, ops, 1, programs);
    }

    @Test
    @Tag("quick")
    void comparisonIsSkippedVisiblyWithoutPython() {
        assertEquals(0, run("/nowhere/python", Set.of(), 10));
        assertTrue(
                out.toString().startsWith("skipped: no Python with PyTorch was found, /nowhere/python: "),
                out::toString);
    }

    @Test
    @Tag("quick")
    void comparisonIsSkippedVisiblyWithoutPyTorch() throws IOException {
        Path python = Files.writeString(folder.resolve("python"), """
                #!/bin/sh
                echo '{"missing": "No module named torch"}'
                """);
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        assertEquals(0, run(python.toString(), Set.of(), 10));
        assertEquals(
                "skipped: no Python with PyTorch was found, " + python + ": No module named torch\n", out.toString());
    }

    @Test
    @Tag("quick")
    void samplesAreSkippedVisiblyWithoutPyTorchsOwnTests() throws IOException {
        Path python = Files.writeString(folder.resolve("python"), """
                #!/bin/sh
                echo '{"version": "2.0"}'
                read question
                echo '{"missing": "No module named expecttest"}'
                cat >/dev/null
                """);
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        assertEquals(0, runSamples(python.toString(), 10));
        assertEquals(
                "skipped: no Python with PyTorch was found, " + python + ": No module named expecttest\n",
                out.toString());
    }

    private int runSamples(String python, int samples) {
        return new TorchParity(new PrintWriter(out, true))
                .runSamples(() -> RemoteMachine.of("mock", "A100"), python, Set.of("add", "sort", "tril"), 1, samples);
    }

    @Test
    void samplesAgreeWithPyTorch() {
        requirePyTorch();
        assertEquals(0, runSamples(PYTHON, 30), out::toString);
        assumeFalse(out.toString().startsWith("skipped"), out::toString);
        assertTrue(out.toString().contains("30 samples from seed 1 on"), out::toString);
    }

    private static void requirePyTorch() {
        try (TorchSide side = TorchSide.open(PYTHON)) {
            assertTrue(side.version().startsWith("2."), side::version);
        } catch (NoTorchException failure) {
            abort("no Python with PyTorch: " + failure.getMessage());
        }
    }

    @Test
    void programsAgreeWithPyTorch() {
        requirePyTorch();
        assertEquals(0, run(PYTHON, Set.of(), 40), out::toString);
        assertTrue(out.toString().contains("40 programs from seed 1 on"), out::toString);
        assertTrue(out.toString().endsWith("0 programs differ without an explanation\n"), out::toString);
    }
}
