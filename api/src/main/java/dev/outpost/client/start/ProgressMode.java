package dev.outpost.client.start;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a person is told that a machine is coming: {@code outpost.progress}, or {@code OUTPOST_PROGRESS}. */
public enum ProgressMode {
    /** By a line where standard error is a terminal, by the log elsewhere. */
    AUTO,

    /** By a line on standard error that is wiped out in the end. */
    LINE,

    /** By a line of its own on standard error for each thing that it waits for. */
    LINES,

    /** By {@link #LINE} where standard error is a terminal, by {@link #LINES} elsewhere. */
    CONSOLE,

    /** By the log, at level INFO. */
    LOG,

    /** Not at all. */
    OFF;

    /** The system property. */
    public static final String PROPERTY = "outpost.progress";

    /** The environment variable. */
    public static final String VARIABLE = "OUTPOST_PROGRESS";

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Logger LOGGER = LoggerFactory.getLogger("dev.outpost.progress");

    /** The mode that the system property or else the environment asks for. */
    public static ProgressMode configured() {
        String variable = System.getenv(VARIABLE);
        return parse(System.getProperty(PROPERTY, variable == null ? "" : variable));
    }

    /** @throws IllegalArgumentException when there is no such mode; nothing at all is {@link #AUTO} */
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

    /** The view of the start of that machine, which has just been asked for. */
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
