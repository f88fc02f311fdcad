package dev.outpost.client.start;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Detects if standard error is a terminal, and its width. */
public final class Terminal {
    /**
     * The file behind standard error, on systems that have this path. The JDK's console describes only standard input
     * and output.
     */
    private static final Path ERRORS = Path.of("/proc/self/fd/2");

    private static final int COLUMNS = 80;

    /** The number of lines that are redrawn in place at present, such as a bar and the start of a machine. */
    private static final AtomicInteger LINES = new AtomicInteger();

    private Terminal() {}

    /** Called when a line that is redrawn in place appears. */
    public static void beginLine() {
        LINES.incrementAndGet();
    }

    /** Called when such a line is over. */
    public static void endLine() {
        LINES.decrementAndGet();
    }

    /** Returns true if there is a line that is redrawn in place. Less important lines wait until it is over. */
    public static boolean hasLine() {
        return LINES.get() > 0;
    }

    public static boolean showsErrors() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        return Files.isSymbolicLink(ERRORS) ? isTerminal(ERRORS) : isTerminal(System.console());
    }

    /** Returns the terminal's width from the environment of the shell, or a default. */
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

    /**
     * Returns true if the console is a terminal. Since Java 22 a console need not be a terminal, and {@code
     * isTerminal} returns true if it is one.
     */
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
