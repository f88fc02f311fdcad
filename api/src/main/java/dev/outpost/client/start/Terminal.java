package dev.outpost.client.start;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody sits before standard error. */
public final class Terminal {
    /**
     * The file behind standard error, on systems that tell; the console of the JDK knows of standard input and output
     * only.
     */
    private static final Path ERRORS = Path.of("/proc/self/fd/2");

    private static final int COLUMNS = 80;

    private Terminal() {}

    public static boolean showsErrors() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        return Files.isSymbolicLink(ERRORS) ? isTerminal(ERRORS) : isTerminal(System.console());
    }

    /** The width that the shell says, if it does. */
    public static int columns() {
        String text = System.getenv("COLUMNS");
        return text != null && text.matches("[1-9]\\d{0,3}") ? Integer.parseInt(text) : COLUMNS;
    }

    private static boolean isTerminal(Path stream) {
        try {
            Path device = Files.readSymbolicLink(stream);
            return device.startsWith("/dev/pts") || device.toString().startsWith("/dev/tty");
        } catch (IOException ignored) {
            return false;
        }
    }

    /** Since Java 22 there may be a console that is no terminal, and a method that tells. */
    private static boolean isTerminal(Console console) {
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException ignored) {
            return true;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
