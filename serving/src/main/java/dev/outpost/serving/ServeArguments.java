package dev.outpost.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of {@code ./outpost serve}: {@code --name value} or {@code --name=value}. */
record ServeArguments(Map<ServeOption, List<String>> values, boolean isGateway, boolean isBackend, boolean isHelp) {
    static final String GATEWAY_PROPERTY = "outpost.serving.gateway";
    private static final String GATEWAY = "--gateway";
    private static final String BACKEND_PROPERTY = "outpost.serving.backend";
    private static final String BACKEND = "--backend";
    private static final String HELP = """
            Usage: outpost serve --model URI [OPTIONS]
            Serves models to clients of OpenAI's API.
            %s
              --gateway                  Serve the deployments of a backend instead; OUTPOST_API and OUTPOST_API_KEY say which.
              --backend                  Let callers in by keys of a backend's projects, and bill them there.
              -h, --help                 Show this and exit.

            Everything else is configuration: outpost.serving.* as system properties, OUTPOST_SERVING_* as variables.
            """;

    /** Reads a command line; an {@link IllegalArgumentException} says what is wrong with it. */
    static ServeArguments parse(String... arguments) {
        Map<ServeOption, List<String>> values = new EnumMap<>(ServeOption.class);
        boolean isGateway = false;
        boolean isBackend = false;
        Iterator<String> rest =
                Arrays.stream(arguments).flatMap(ServeArguments::split).iterator();
        while (rest.hasNext()) {
            String flag = rest.next();
            if (flag.equals("--help") || flag.equals("-h")) {
                return new ServeArguments(Map.of(), false, false, true);
            }
            if (flag.equals(GATEWAY)) {
                isGateway = true;
                continue;
            }
            if (flag.equals(BACKEND)) {
                isBackend = true;
                continue;
            }
            ServeOption option = ServeOption.of(flag)
                    .orElseThrow(() -> new IllegalArgumentException(flag + " is unknown; --help tells the options"));
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(flag + ": a value is missing");
            }
            String value = rest.next();
            option.check(value);
            values.computeIfAbsent(option, first -> new ArrayList<>()).add(value);
        }
        values.forEach((option, all) -> {
            if (all.size() > 1 && !option.isList()) {
                throw new IllegalArgumentException(option.flag() + ": said twice, as " + String.join(" and ", all));
            }
        });
        return new ServeArguments(values, isGateway, isBackend, false);
    }

    static String help() {
        return HELP.formatted(
                Stream.of(ServeOption.values()).map(ServeOption::help).collect(Collectors.joining("\n")));
    }

    /** Makes them configuration. A list's elements have commas between them. */
    void apply() {
        if (isGateway) {
            System.setProperty(GATEWAY_PROPERTY, "true");
        }
        if (isBackend) {
            System.setProperty(BACKEND_PROPERTY, "true");
        }
        values.forEach((option, all) -> System.setProperty(
                option.property(),
                all.stream().map(value -> value.replace(",", "\\,")).collect(Collectors.joining(","))));
    }

    private static Stream<String> split(String argument) {
        int equals = argument.indexOf('=');
        boolean isBoth = argument.startsWith("--") && equals > 0;
        return isBoth ? Stream.of(argument.substring(0, equals), argument.substring(equals + 1)) : Stream.of(argument);
    }
}
