package dev.outpost.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** A part of the list of commands in the help. Each command is in exactly one group. */
record CommandGroup(String heading, List<String> commands) {
    static final List<CommandGroup> ALL = List.of(
            new CommandGroup(
                    "First steps",
                    List.of(
                            "demo",
                            "doctor",
                            "gpus",
                            "init",
                            "install",
                            "completion",
                            "run",
                            "jshell",
                            "example",
                            "docs")),
            new CommandGroup(
                    "Machines", List.of("machines", "shares", "top", "plan", "runtime", "relay", "worker", "workers")),
            new CommandGroup("Programs and jobs", List.of("submit", "jobs", "schedules", "programs")),
            new CommandGroup(
                    "Models",
                    List.of(
                            "generate",
                            "train",
                            "plot",
                            "models",
                            "onnx",
                            "serve",
                            "gateway",
                            "deploy",
                            "deployments")),
            new CommandGroup("The backend", List.of("backend", "backup", "login", "simulate")),
            new CommandGroup(
                    "Administration",
                    List.of(
                            "organisations",
                            "projects",
                            "members",
                            "keys",
                            "secrets",
                            "quotas",
                            "budgets",
                            "clusters",
                            "pools",
                            "prices",
                            "token-prices",
                            "usage",
                            "webhooks",
                            "apply",
                            "audit",
                            "failures")),
            new CommandGroup(
                    "Development of Outpost, from a source tree",
                    List.of(
                            "build",
                            "test",
                            "bench",
                            "parity",
                            "gpu-check",
                            "publish",
                            "release",
                            "api-description",
                            "api-changes",
                            "vulnerabilities",
                            "help-text",
                            "format",
                            "names",
                            "sentences",
                            "architecture",
                            "structure",
                            "nulls",
                            "rename")));

    /** Returns the list of commands by groups. It leaves out groups of which no command is known. */
    static String render(Help help) {
        StringBuilder text = new StringBuilder();
        for (CommandGroup group : ALL) {
            Map<String, Help> known = help.subcommands();
            List<String> names =
                    group.commands.stream().filter(known::containsKey).toList();
            if (names.isEmpty()) {
                continue;
            }
            text.append(String.format("%n%s:%n", group.heading));
            int width =
                    2 + known.keySet().stream().mapToInt(String::length).max().orElseThrow() + 2;
            TextTable table = TextTable.forColumns(
                    help.colorScheme(),
                    new Column(width, 2, Overflow.SPAN),
                    new Column(help.commandSpec().usageMessage().width() - width, 0, Overflow.WRAP));
            for (String name : names) {
                String[] description =
                        known.get(name).commandSpec().usageMessage().description();
                table.addRowValues(name, String.join(" ", description));
            }
            text.append(table);
        }
        return text.toString();
    }
}
