package dev.outpost.system.documents;

import dev.outpost.relay.RelayMain;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Writes all commands with their parameters and options as Markdown. */
final class CommandsPage {
    private static final String HEAD = """
            # Commands

            `./outpost COMMAND` in a clone, `bin/outpost COMMAND` from the zip. `./outpost COMMAND --help` prints the same. This page is written from the
            commands themselves: `./outpost test CommandsPageTest -Doutpost.golden=write`.

            """;

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{env:(\\w+).*}");

    private final StringBuilder page = new StringBuilder(HEAD);

    private CommandsPage() {}

    static String of(CommandLine commandLine) {
        CommandsPage result = new CommandsPage();
        Map<String, CommandLine> commands = visible(commandLine);
        // The command line starts the relay as a program of its own.
        commands.put("relay", new CommandLine(new RelayMain()));
        result.addOverview(commands);
        result.page.append("## Options of every command\n\n");
        result.addArguments(shared(commandLine));
        commands.forEach((name, command) -> result.addCommand("## ", "", command));
        return result.page.toString().stripTrailing() + "\n";
    }

    private static Map<String, CommandLine> visible(CommandLine commandLine) {
        Map<String, CommandLine> commands = new TreeMap<>();
        commandLine.getSubcommands().values().stream()
                .filter(command -> !command.getCommandSpec().usageMessage().hidden())
                .forEach(command -> commands.put(command.getCommandName(), command));
        return commands;
    }

    private static List<ArgSpec> shared(CommandLine commandLine) {
        return List.copyOf(commandLine.getCommandSpec().options());
    }

    private void addOverview(Map<String, CommandLine> commands) {
        page.append("| command | what it does |\n|---|---|\n");
        commands.forEach(
                (name, command) -> page.append("| [`%s`](#%s) | %s |\n".formatted(name, name, cell(text(command)))));
        page.append('\n');
    }

    private void addCommand(String heading, String parents, CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        String name = parents + spec.name().replace("outpost ", "");
        page.append(heading).append(name).append("\n\n");
        page.append(text(command).replaceAll("(.{1,100})(?: |$)", "    # $1\n"));
        synopsis(name, spec)
                .lines()
                .forEach(
                        line -> page.append("    ").append(line.stripTrailing()).append('\n'));
        page.append('\n');
        List<ArgSpec> arguments = new ArrayList<>(spec.positionalParameters());
        arguments.addAll(spec.options());
        addArguments(arguments.stream()
                .filter(argument -> !argument.hidden() && !argument.inherited() && !isStandard(argument))
                .toList());
        visible(command).values().forEach(child -> addCommand("### ", name + " ", child));
    }

    /** Returns how a command is called. A program that the launcher starts with the command's words has its own help. */
    private static String synopsis(String name, CommandSpec spec) {
        boolean isLaunched =
                spec.parser().unmatchedArgumentsAllowed() && spec.usageMessage().customSynopsis().length == 0;
        return isLaunched
                ? "outpost " + name + " [--help]"
                : new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0);
    }

    private static boolean isStandard(ArgSpec argument) {
        return argument instanceof OptionSpec option && (option.usageHelp() || option.versionHelp());
    }

    private void addArguments(List<ArgSpec> arguments) {
        if (arguments.isEmpty()) {
            return;
        }
        page.append("| argument | meaning |\n|---|---|\n");
        arguments.forEach(
                argument -> page.append("| `%s` | %s |\n".formatted(label(argument), cell(meaning(argument)))));
        page.append('\n');
    }

    private static String label(ArgSpec argument) {
        String label = argument.paramLabel();
        if (argument instanceof OptionSpec option) {
            boolean hasValue = option.arity().max() > 0;
            return String.join(", ", option.names()) + (hasValue ? " " + label : "");
        }
        return label;
    }

    private static String meaning(ArgSpec argument) {
        String text = line(argument.description());
        if (argument.required() && argument instanceof OptionSpec) {
            return text + " Required.";
        }
        Matcher variable = VARIABLE.matcher(standard(argument));
        return variable.matches() ? text + " Also by the variable `" + variable.group(1) + "`." : text;
    }

    /** Returns the default value as it is written in the source. */
    private static String standard(ArgSpec argument) {
        Option option =
                argument.userObject() instanceof AnnotatedElement element ? element.getAnnotation(Option.class) : null;
        return option == null ? "" : option.defaultValue();
    }

    private static String text(CommandLine command) {
        return line(command.getCommandSpec().usageMessage().description());
    }

    private static String line(String[] description) {
        return String.join(" ", description)
                .replace("%n", " ")
                .replace("%%", "%")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
