package dev.outpost.channel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command line of a server: {@code --name value} or {@code --name=value}. Each option stands for a setting, and
 * becomes a system property. No library for command lines is used, because it would load many classes at every start
 * of a machine.
 */
public final class ServerOptions {
    private final String prefix;
    private final String usage;
    private final int width;
    private final boolean allowsRepeats;
    private final List<Option> options = new ArrayList<>();

    private record Option(String flag, String label, String property, String description, boolean isList) {
        void check(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException(flag + ": expected " + label + ", got nothing");
            }
            String expected = switch (label) {
                case "NUMBER" -> value.matches("\\d{1,9}") ? "" : "a number";
                case "BYTES" -> value.matches("\\d{1,18}") ? "" : "a number";
                case "SIZE" -> value.matches("\\d{1,9}[KMGT]?") ? "" : "a size such as 8G";
                default -> !label.contains("|") || List.of(label.split("\\|")).contains(value) ? "" : label;
            };
            if (!expected.isEmpty()) {
                throw new IllegalArgumentException(flag + ": expected " + expected + ", got \"" + value + "\"");
            }
        }
    }

    /**
     * Makes the command line of a server without options.
     *
     * @param prefix the prefix of the properties, such as {@code outpost.serving.}
     * @param usage the first lines of the help
     * @param width the width of the column of names in the help
     * @param allowsRepeats true if the last of several values is used; otherwise a second value is refused. Flags may always be repeated
     */
    public ServerOptions(String prefix, String usage, int width, boolean allowsRepeats) {
        this.prefix = prefix;
        this.usage = usage;
        this.width = width;
        this.allowsRepeats = allowsRepeats;
    }

    /** Adds an option that has the name of its setting. */
    public ServerOptions option(String name, String label, String description) {
        return option(name, label, name, description);
    }

    /**
     * Adds an option.
     *
     * @param label the kind of its value: {@code NUMBER}, {@code BYTES}, {@code SIZE} and choices such as {@code int8|int4} are checked;
     *     empty for a flag, which has no value
     * @param setting the name of the setting for which it stands, without the prefix
     */
    public ServerOptions option(String name, String label, String setting, String description) {
        return add(new Option("--" + name, label, prefix + setting, description, false));
    }

    /** Adds an option that may be given several times. The setting has the values with commas between them. */
    public ServerOptions list(String name, String label, String description) {
        return add(new Option("--" + name, label, prefix + name, description, true));
    }

    private ServerOptions add(Option option) {
        options.add(option);
        return this;
    }

    /**
     * Reads a command line.
     *
     * @return values by their properties; empty if the user asks for help
     * @throws IllegalArgumentException if an argument is wrong; the message names the option
     */
    public Optional<Map<String, String>> parse(String... arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        Iterator<String> rest =
                Arrays.stream(arguments).flatMap(ServerOptions::split).iterator();
        while (rest.hasNext()) {
            String flag = rest.next();
            if (flag.equals("--help") || flag.equals("-h")) {
                return Optional.empty();
            }
            Option option = options.stream()
                    .filter(each -> each.flag().equals(flag))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(flag + " is unknown; --help lists the options"));
            put(values, option, option.label().isEmpty() ? "true" : value(option, rest));
        }
        return Optional.of(values);
    }

    private static String value(Option option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option.flag() + ": a value is missing");
        }
        String value = rest.next();
        option.check(value);
        return option.isList() ? value.replace(",", "\\,") : value;
    }

    private void put(Map<String, String> values, Option option, String value) {
        String earlier = values.put(option.property(), value);
        if (earlier != null && option.isList()) {
            values.put(option.property(), earlier + "," + value);
        } else if (earlier != null && !allowsRepeats && !option.label().isEmpty()) {
            throw new IllegalArgumentException(option.flag() + ": set twice, as " + earlier + " and " + value);
        }
    }

    private static Stream<String> split(String argument) {
        int equals = argument.indexOf('=');
        boolean isBoth = argument.startsWith("--") && equals > 0;
        return isBoth ? Stream.of(argument.substring(0, equals), argument.substring(equals + 1)) : Stream.of(argument);
    }

    /** Returns the text of {@code --help}. */
    public String help() {
        String lines = Stream.concat(
                        options.stream()
                                .map(option -> line(option.flag() + " " + option.label(), option.description())),
                        Stream.of(line("-h, --help", "Show this and exit.")))
                .collect(Collectors.joining());
        return usage + lines + "\nEverything else is configuration: " + prefix + "* as system properties, "
                + prefix.toUpperCase(Locale.ROOT).replace('.', '_') + "* as variables.\n";
    }

    private String line(String name, String description) {
        return String.format("  %-" + width + "s %s\n", name.strip(), description);
    }
}
