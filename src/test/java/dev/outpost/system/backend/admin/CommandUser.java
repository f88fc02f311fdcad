package dev.outpost.system.backend.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.outpost.cli.Outpost;
import dev.outpost.rest.client.BackendAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A person who has logged in at a backend, and works by commands. */
final class CommandUser {
    private final Path home;

    /** Logs in within a folder of the user's own. */
    CommandUser(Path parent, String name, BackendAccess access) {
        this.home = parent.resolve(name);
        try {
            Files.createDirectories(home);
            asUser(() -> {
                access.login();
                return null;
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Work that reads and writes files. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Does work as this user. Work within it may run commands in several threads. */
    <T> T asUser(Work<T> work) throws IOException {
        String previous = System.getProperty("user.home");
        if (previous.equals(home.toString())) {
            return work.run();
        }
        System.setProperty("user.home", home.toString());
        try {
            return work.run();
        } finally {
            System.setProperty("user.home", previous);
        }
    }

    /** The exit code, the output and the errors of a command. */
    record Outcome(int code, String out, String err) {}

    Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try {
            int code = asUser(() -> Outpost.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .execute(arguments));
            return new Outcome(code, out.toString(), err.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Runs a command that works, and returns its output. */
    String does(String... arguments) {
        Outcome outcome = run(arguments);
        assertEquals(0, outcome.code(), () -> String.join(" ", arguments) + ": " + outcome.err() + outcome.out());
        return outcome.out();
    }

    /** Runs a command that is refused, and returns the error. */
    String isRefused(String... arguments) {
        Outcome outcome = run(arguments);
        assertNotEquals(0, outcome.code(), () -> String.join(" ", arguments) + " worked: " + outcome.out());
        return outcome.err();
    }

    /** Returns a key of the form {@code op_...} in the output of a command. */
    static String key(String output) {
        return output.replaceAll("(?s).*?(op_[A-Za-z0-9_-]+).*", "$1");
    }
}
