package dev.outpost.backend;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of {@code ./outpost backend}: {@code --name value} or {@code --name=value}.
 *
 * @param onceReady a command of the shell that is run when the backend serves, and with which it ends
 */
record BackendArguments(Map<BackendOption, String> values, Optional<String> onceReady, boolean isHelp) {
    private static final String ONCE_READY = "--once-ready";
    private static final String HELP = """
            Usage: outpost backend [OPTIONS]
            Serves machines to a team: an API, a dashboard, and a database that it starts by itself.
            %s
              --once-ready COMMAND   Run a command of the shell when it serves, with OUTPOST_API and OUTPOST_API_KEY set, and
                                     end with it and its status.
              -h, --help             Show this and exit.

            Everything else is configuration: outpost.backend.* as system properties, OUTPOST_BACKEND_* as variables.
            """;

    /** Reads a command line; an {@link IllegalArgumentException} says what is wrong with it. */
    static BackendArguments parse(String... arguments) {
        Map<BackendOption, String> values = new EnumMap<>(BackendOption.class);
        Optional<String> onceReady = Optional.empty();
        Iterator<String> rest =
                Arrays.stream(arguments).flatMap(BackendArguments::split).iterator();
        while (rest.hasNext()) {
            String flag = rest.next();
            if (flag.equals("--help") || flag.equals("-h")) {
                return new BackendArguments(Map.of(), Optional.empty(), true);
            }
            if (flag.equals(ONCE_READY)) {
                onceReady = Optional.of(value(flag, rest));
                continue;
            }
            BackendOption option = BackendOption.of(flag)
                    .orElseThrow(() -> new IllegalArgumentException(flag + " is unknown; --help tells the options"));
            String value = value(flag, rest);
            option.check(value);
            values.put(option, value);
        }
        return new BackendArguments(values, onceReady, false);
    }

    private static String value(String flag, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(flag + ": a value is missing");
        }
        return rest.next();
    }

    static String help() {
        return HELP.formatted(
                Stream.of(BackendOption.values()).map(BackendOption::help).collect(Collectors.joining("\n")));
    }

    /** Makes them configuration. */
    void apply() {
        values.forEach((option, value) -> System.setProperty(option.property(), value));
        onceReady.ifPresent(command -> System.setProperty(ReadyCommand.PROPERTY, command));
    }

    private static Stream<String> split(String argument) {
        int equals = argument.indexOf('=');
        boolean isBoth = argument.startsWith("--") && equals > 0;
        return isBoth ? Stream.of(argument.substring(0, equals), argument.substring(equals + 1)) : Stream.of(argument);
    }
}
