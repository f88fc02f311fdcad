package dev.outpost.cli.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.cli.Outpost;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The base class of tests of commands for a backend. A stub answers in place of the backend, and the user is logged in within a temporary home folder. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
abstract class StubbedCommands {
    @TempDir
    Path home;

    final StubBackend backend = new StubBackend().answer("GET /v1/gpus", "{\"items\": []}");
    private final String previousHome = System.getProperty("user.home");
    private final InputStream previousInput = System.in;
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    @BeforeEach
    void moveHome() {
        assumeTrue(System.getenv("OUTPOST_API") == null, "OUTPOST_API is set, and goes before what a login keeps");
        System.setProperty("user.home", home.toString());
    }

    @AfterEach
    void moveBack() {
        System.setProperty("user.home", previousHome);
        System.setIn(previousInput);
        backend.close();
    }

    int run(String... arguments) {
        return Outpost.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    int login(String key) {
        System.setIn(new ByteArrayInputStream(key.getBytes(StandardCharsets.UTF_8)));
        return run("login", backend.address());
    }

    void loggedIn() {
        assertEquals(0, login(StubBackend.KEY + "\n"), err::toString);
        out.getBuffer().setLength(0);
        backend.asked().clear();
    }

    String printed() {
        return out.toString().replace("\r", "");
    }

    String complained() {
        return err.toString().replace("\r", "");
    }
}
