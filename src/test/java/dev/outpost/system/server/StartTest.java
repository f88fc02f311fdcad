package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start of a runtime, and its messages if it cannot start. */
class StartTest {
    private static final RuntimeProcess RUNNING = RuntimeProcess.shared();

    @Test
    void socketIsAccessibleToItsOwnerOnly() throws IOException {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(RUNNING.socket())));
    }

    @Test
    void aSocketThatIsServedIsRefused() {
        assertEndsWith(
                1,
                "socket: a machine serves on " + RUNNING.socket() + " already",
                "--socket",
                RUNNING.socket().toString());
        try (RemoteMachine machine = RemoteMachine.connect(RUNNING.local(), new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
    }

    @Test
    @Tag("full")
    void aFileInTheSocketsPlaceIsKept(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "precious");
        assertEndsWith(1, "socket: " + file + " exists and is no socket", "--socket", file.toString());
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        String port = Integer.toString(RUNNING.port());
        assertEndsWith(1, "port " + port + " cannot be served: Address already in use", "--port", port);
    }

    @Test
    void aBadOptionIsExplained() {
        assertEndsWith(2, "outpost runtime: --port: expected a number, got \"many\"", "--port", "many");
    }

    @Test
    @Tag("full")
    void anUnknownEngineIsExplained() {
        assertEndsWith(
                1, "outpost.runtime.engine: expected cpu, cuda or reference, got \"abacus\"", "--engine", "abacus");
    }

    /** Nothing is computed on the CPU instead. */
    @Test
    void aGpusEngineWithoutADriverIsExplained() {
        assumeFalse(Files.exists(Path.of("/proc/driver/nvidia/version")), "there is a CUDA driver here");
        assertEndsWith(
                1,
                "outpost runtime: cuda: libcuda.so.1 not found: With an NVIDIA GPU, install its driver;",
                "--engine",
                "cuda");
    }

    @Test
    @Tag("full")
    void aTokenThatIsTooShortIsExplainedAndNotRepeated() {
        String errors = assertEndsWith(
                1,
                "outpost.runtime.token: expected 16 or more letters, digits, - and _, got something else",
                "OUTPOST_RUNTIME_TOKEN=hush");
        assertFalse(errors.contains("hush"), errors);
    }

    @Test
    @Tag("full")
    void aTokenThatTheListOfProcessesShowsIsRefused() {
        String errors = assertEndsWith(
                1,
                "outpost.runtime.token: a system property stands in the list of processes, where others on this host "
                        + "read it; set the variable OUTPOST_RUNTIME_TOKEN, or name a file by outpost.runtime.token-file",
                "-Doutpost.runtime.token=given-given-given-given");
        assertFalse(errors.contains("given"), errors);
    }

    @Test
    @Tag("full")
    void aCertificateWithoutItsKeyIsExplained() {
        assertEndsWith(
                1,
                "outpost.runtime.certificate and outpost.runtime.key belong together",
                "--certificate",
                "/nowhere/certificate.pem");
    }

    /** The output of such a runtime on standard error. */
    private static String assertEndsWith(int status, String sentence, String... arguments) {
        try (RuntimeProcess failing = RuntimeProcess.launch(arguments)) {
            assertEquals(status, failing.exitStatus(), failing::errors);
            String errors = failing.errors();
            assertTrue(errors.contains(sentence), errors);
            assertFalse(errors.contains("\tat "), errors);
            return errors;
        }
    }
}
