package dev.outpost.cli.support;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Reads a secret so that other users of this host cannot see it: from the terminal, else from standard input. */
public final class SecretInput {
    private SecretInput() {}

    /**
     * Reads one line.
     *
     * @param command the name of the command, for errors
     * @param what the kind of secret, such as {@code key}
     */
    public static String read(String command, String what) {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            CommandProgress.ofProcess().beforeOutput();
            return new String(console.readPassword(what + ": "));
        }
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            if (line == null) {
                throw new IllegalArgumentException(
                        command + ": a " + what + " is expected on standard input, got nothing");
            }
            return line;
        } catch (IOException failure) {
            throw new IllegalStateException(command + ": standard input cannot be read", failure);
        }
    }
}
