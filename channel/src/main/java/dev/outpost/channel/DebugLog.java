package dev.outpost.channel;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The components that print what they do to standard error, without a configuration of logs. The system property {@code outpost.debug},
 * or else the environment variable {@code OUTPOST_DEBUG}, names them: {@code client,planner}, or {@code all}. Providers pass the setting
 * on to the processes and pods that they start.
 */
public enum DebugLog {
    /** The instructions that the program records, its segments, and its waits for values. */
    CLIENT,

    /** The messages of sessions, at both ends. */
    WIRE,

    /** The plans of the runtime, and the segments that it runs. */
    PLANNER,

    /** The exchanges between the machines of a group. */
    GROUPS,

    /** The start, the connections and the end of machines, in clients, providers, workers and the backend. */
    MACHINE;

    /** The system property. */
    public static final String PROPERTY = "outpost.debug";

    /** The environment variable; the system property takes precedence. */
    public static final String VARIABLE = "OUTPOST_DEBUG";

    private static final String ALL = "all";
    private static final Set<DebugLog> ON = parse(setting().orElse(""), System.err::println);

    /** Returns the setting of this process, for processes that it starts. */
    public static Optional<String> setting() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(VARIABLE)))
                .filter(value -> !value.isBlank());
    }

    /** @param problems receives a sentence for each name that is unknown; the others still count */
    static Set<DebugLog> parse(String setting, Consumer<String> problems) {
        Set<DebugLog> on = EnumSet.noneOf(DebugLog.class);
        for (String part : setting.split(",")) {
            String name = part.strip();
            if (name.equalsIgnoreCase(ALL)) {
                on.addAll(EnumSet.allOf(DebugLog.class));
            } else if (!name.isEmpty()) {
                find(name)
                        .ifPresentOrElse(
                                on::add,
                                () -> problems.accept("outpost: " + VARIABLE + ": no component is called \"" + name
                                        + "\"; there are " + names() + " and " + ALL));
            }
        }
        return on;
    }

    private static Optional<DebugLog> find(String name) {
        return Arrays.stream(values())
                .filter(component -> component.label().equalsIgnoreCase(name))
                .findFirst();
    }

    private static String names() {
        return Arrays.stream(values()).map(DebugLog::label).collect(Collectors.joining(", "));
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns true if the component prints. */
    public boolean isOn() {
        return ON.contains(this);
    }

    /** Prints a line if the component is on. */
    public void print(String format, Object... arguments) {
        if (isOn()) {
            System.err.printf(
                    Locale.ROOT,
                    "%tT.%<tL %-7s %s%n",
                    LocalTime.now().truncatedTo(ChronoUnit.MILLIS),
                    label(),
                    String.format(Locale.ROOT, format, arguments));
        }
    }

    /**
     * Returns a printer of a session's events, as an instruction log has them: it gets the direction of an event and its text. Null if no
     * component prints such events.
     */
    public static @Nullable BiConsumer<String, String> sessionEvents() {
        boolean isAny = CLIENT.isOn() || WIRE.isOn() || PLANNER.isOn() || MACHINE.isOn();
        return isAny ? (direction, text) -> of(direction).print("%s", text) : null;
    }

    private static DebugLog of(String direction) {
        return switch (direction) {
            case "SEND", "RECV" -> WIRE;
            case "RUN" -> PLANNER;
            case "LIFE" -> MACHINE;
            default -> CLIENT;
        };
    }
}
