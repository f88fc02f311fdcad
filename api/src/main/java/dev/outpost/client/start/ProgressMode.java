package dev.outpost.client.start;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to show the start of a machine: {@code outpost.progress}, or {@code OUTPOST_PROGRESS}. */
public enum ProgressMode {
    /** {@link #LINE} if standard error is a terminal, else {@link #LOG}. */
    AUTO,

    /** A line on standard error that is updated, and erased in the end. */
    LINE,

    /** A new line on standard error for each step that the start waits for. */
    LINES,

    /** {@link #LINE} if standard error is a terminal, else {@link #LINES}. */
    CONSOLE,

    /** The log, at level INFO. */
    LOG,

    /** Shows nothing. */
    OFF;

    /** The system property. */
    public static final String PROPERTY = "outpost.progress";

    /** The environment variable. */
    public static final String VARIABLE = "OUTPOST_PROGRESS";

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Logger LOGGER = LoggerFactory.getLogger("dev.outpost.progress");

    /** Returns the mode that the system property or else the environment sets. */
    public static ProgressMode configured() {
        String variable = System.getenv(VARIABLE);
        return parse(System.getProperty(PROPERTY, variable == null ? "" : variable));
    }

    /**
     * Returns the mode with this name; {@link #AUTO} for an empty text.
     *
     * @throws IllegalArgumentException if there is no such mode
     */
    public static ProgressMode parse(String text) {
        if (text.isBlank()) {
            return AUTO;
        }
        return Arrays.stream(values())
                .filter(mode -> mode.label().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(PROPERTY + ": expected "
                        + Arrays.stream(values()).map(ProgressMode::label).collect(Collectors.joining(", "))
                        + ", got \"" + text + "\""));
    }

    /** Returns a view for the start of a machine that has just been requested. */
    public StartView view(String machine) {
        return switch (this) {
            case AUTO -> (Terminal.showsErrors() ? LINE : LOG).view(machine);
            case LINE ->
                new TickingLine(new ProgressLine(machine, System.err, Terminal.columns(), System::nanoTime), TICK)
                        .start();
            case LINES -> new ProgressLines(machine, System.err::println);
            case CONSOLE -> (Terminal.showsErrors() ? LINE : LINES).view(machine);
            case LOG -> new ProgressLog(machine, LOGGER::info);
            case OFF -> step -> {};
        };
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
