package dev.outpost.runtime.server;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of {@code ./outpost runtime}: {@code --name value} or {@code --name=value}. A library for command
 * lines would load more classes at every start than all of this has lines.
 */
record RuntimeArguments(Map<RuntimeOption, String> values, boolean isHelp) {
    private static final String HELP = """
            Usage: outpost runtime [OPTIONS]
            Serves a machine to clients, with TLS and a token, until it is told to stop.
            %s
              -h, --help                 Show this and exit.

            Everything else is configuration: outpost.runtime.* as system properties, OUTPOST_RUNTIME_* as variables.
            """;

    /** Reads a command line; an {@link IllegalArgumentException} says what is wrong with it. */
    static RuntimeArguments parse(String... arguments) {
        Map<RuntimeOption, String> values = new EnumMap<>(RuntimeOption.class);
        Iterator<String> rest =
                Arrays.stream(arguments).flatMap(RuntimeArguments::split).iterator();
        while (rest.hasNext()) {
            String flag = rest.next();
            if (flag.equals("--help") || flag.equals("-h")) {
                return new RuntimeArguments(Map.of(), true);
            }
            RuntimeOption option = RuntimeOption.of(flag)
                    .orElseThrow(() -> new IllegalArgumentException(flag + " is unknown; --help tells the options"));
            if (option.isFlag()) {
                values.put(option, "true");
                continue;
            }
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(flag + ": a value is missing");
            }
            String value = rest.next();
            option.check(value);
            values.put(option, value);
        }
        return new RuntimeArguments(values, false);
    }

    static String help() {
        return HELP.formatted(
                Stream.of(RuntimeOption.values()).map(RuntimeOption::help).collect(Collectors.joining("\n")));
    }

    /** Makes them configuration. */
    void apply() {
        values.forEach((option, value) -> System.setProperty(option.property(), value));
        boolean isAnnounced = Boolean.parseBoolean(said(RuntimeOption.ANNOUNCE));
        if (isAnnounced && said(RuntimeOption.HOST).isEmpty()) {
            System.setProperty(RuntimeOption.HOST.property(), "0.0.0.0");
        }
    }

    /** The value of an option from a property or a variable; empty where there is none. */
    private static String said(RuntimeOption option) {
        String variable = option.property().replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
        return Optional.ofNullable(System.getProperty(option.property()))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .orElse("");
    }

    private static Stream<String> split(String argument) {
        int equals = argument.indexOf('=');
        boolean isBoth = argument.startsWith("--") && equals > 0;
        return isBoth ? Stream.of(argument.substring(0, equals), argument.substring(equals + 1)) : Stream.of(argument);
    }
}
