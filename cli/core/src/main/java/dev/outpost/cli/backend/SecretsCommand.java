package dev.outpost.cli.backend;

import dev.outpost.cli.support.SecretInput;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the names of a project's secrets, sets one, removes one. */
@Command(
        name = "secrets",
        description = "List the names of secrets for jobs and for the sources of machines.",
        subcommands = {SecretsCommand.Put.class, SecretsCommand.Remove.class})
public final class SecretsCommand implements Runnable {
    private static final String PATH = "/v1/secrets";

    @Option(names = "--project", paramLabel = "NAME", description = "Of which project; the key's unless given.")
    private String project;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "CHANGED");
        Pages.read(
                BackendClient.configured(),
                PATH,
                Map.of("project", Optional.ofNullable(project)),
                item -> table.row(
                        item.path("name").asText(),
                        item.path("project").asText(),
                        item.path("changed").asText()));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    /** @throws IllegalArgumentException where no variable can have the name */
    private static String checked(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException("secret: expected the name of a variable, got \"" + name + "\"");
        }
        return name;
    }

    /** A new value. */
    @Command(
            name = "set",
            description = "Set a secret, which is never shown again.",
            footer = {
                "",
                "The value is asked for, or read from standard input where that is no terminal: on a command line others on",
                "this host could read it."
            })
    static final class Put implements Runnable {
        @Parameters(paramLabel = "NAME", description = "Such as HF_TOKEN.")
        private String name;

        @Option(names = "--project", paramLabel = "NAME", description = "Whose it is; the key's project unless given.")
        private String project;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            String path = PATH + "/" + checked(name);
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("value", SecretInput.read("secrets", "value"));
            Optional.ofNullable(project).ifPresent(owner -> body.put("project", owner));
            BackendClient.configured().put(path, body);
            spec.commandLine().getOut().println(name + " is set");
        }
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one; programs and machines that have it keep it until they end.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost secrets shows it.")
        private String name;

        @Option(names = "--project", paramLabel = "NAME", description = "Whose it is; the key's project unless given.")
        private String project;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured()
                    .delete(BackendClient.path(
                            PATH + "/" + checked(name), Map.of("project", Optional.ofNullable(project))));
            spec.commandLine().getOut().println(name + " is removed");
        }
    }
}
