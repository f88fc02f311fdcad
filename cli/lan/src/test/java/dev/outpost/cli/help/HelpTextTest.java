package dev.outpost.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.cli.Outpost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The launchers print the help and complete words from two files, without Java. The files equal what the commands say of
 * themselves; {@code ./outpost help-text --write} rewrites them.
 */
class HelpTextTest {
    private static final Path FOLDER = Path.of("../../packaging/dist/src/main/sh");

    private static final Set<String> IN_ZIP =
            Outpost.commandLine(false).getSubcommands().keySet();

    @Test
    void helpTextEqualsTheCommands() throws IOException {
        List<String> lines = new ArrayList<>();
        addHelp("@", Outpost.commandLine(false), lines);
        addHelp("@tree", Outpost.commandLine(true), lines);
        Outpost.commandLine(true)
                .getSubcommands()
                .forEach((name, command) -> addSection(IN_ZIP.contains(name) ? "@" : "@tree", name, command, lines));
        compare("help.txt", lines);
    }

    @Test
    void wordsEqualTheCommands() throws IOException {
        List<String> rows = new ArrayList<>();
        addWords("", Outpost.commandLine(true), rows);
        compare("words.tsv", rows);
    }

    private static void addHelp(String header, CommandLine command, List<String> lines) {
        lines.add(header);
        lines.addAll(command.getUsageMessage(Ansi.OFF).lines().toList());
    }

    /** Adds the section of a command and of its subcommands, unless its program prints the help itself. */
    private static void addSection(String mark, String path, CommandLine command, List<String> lines) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        boolean isLaunched = command.getCommandSpec().userObject() instanceof Runnable
                && command.getCommandSpec().parser().unmatchedArgumentsAllowed();
        if (usage.hidden() || isLaunched && usage.customSynopsis().length == 0) {
            return;
        }
        addHelp(mark + " " + path, command, lines);
        command.getSubcommands().forEach((name, child) -> addSection(mark, path + " " + name, child, lines));
    }

    /**
     * Adds a row for each subcommand and option: path of the command, word, description, values of the option, {@code tree} if only a source
     * tree has it, and the other names of the option or a mark of the command.
     */
    private static void addWords(String path, CommandLine command, List<String> rows) {
        command.getSubcommands().forEach((name, child) -> {
            if (!child.getCommandSpec().usageMessage().hidden()) {
                rows.add(row(path, name, child.getCommandSpec().usageMessage().description(), "", mark(child)));
            }
        });
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                rows.add(row(path, option.longestName(), option.description(), values(option), otherNames(option)));
            }
        }
        for (PositionalParamSpec argument : command.getCommandSpec().positionalParameters()) {
            if (argument.completionCandidates() != null) {
                argument.completionCandidates().forEach(value -> rows.add(row(path, value, new String[0], "", "")));
            }
        }
        command.getSubcommands().forEach((name, child) -> addWords((path + " " + name).strip(), child, rows));
    }

    /** Returns the values of an option: the known ones, {@code *} if they are free, and nothing for a flag. */
    private static String values(OptionSpec option) {
        if (option.arity().max() == 0 || option.typeInfo().isBoolean()) {
            return "";
        }
        if (option.completionCandidates() == null) {
            return "*";
        }
        return StreamSupport.stream(option.completionCandidates().spliterator(), false)
                .collect(Collectors.joining(","));
    }

    private static String otherNames(OptionSpec option) {
        return Arrays.stream(option.names())
                .filter(name -> !name.equals(option.longestName()))
                .collect(Collectors.joining(","));
    }

    /** Returns {@code *} if another program reads the arguments of the command, {@code +} if it takes arguments, and nothing otherwise. */
    private static String mark(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.parser().unmatchedArgumentsAllowed()
                || spec.positionalParameters().stream().anyMatch(PositionalParamSpec::hidden)) {
            return "*";
        }
        return spec.positionalParameters().isEmpty() ? "" : "+";
    }

    private static String row(String path, String word, String[] description, String values, String names) {
        String text = String.join(" ", description).replace("%n", " ").replaceAll("\\s+", " ");
        String command = path.isEmpty() ? word : path.split(" ")[0];
        boolean isInTree = !command.startsWith("-") && !IN_ZIP.contains(command);
        String row = String.join("\t", path, word, text, values, isInTree ? "tree" : "");
        return names.isEmpty() ? row : row + "\t" + names;
    }

    private static void compare(String name, List<String> lines) throws IOException {
        String text =
                lines.stream().map(line -> line.replaceAll(" +$", "") + "\n").collect(Collectors.joining());
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("outpost.help.write")) {
            Files.writeString(file, text);
        }
        assertEquals(
                text, Files.exists(file) ? Files.readString(file) : "", name + " differs: ./outpost help-text --write");
    }
}
