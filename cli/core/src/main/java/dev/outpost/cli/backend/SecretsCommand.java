package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.SecretInput;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.SecretsApi;
import dev.outpost.rest.job.SecretRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the names of a project's secrets; sets or removes a secret. */
@Command(
        name = "secrets",
        description = "List the names of secrets for jobs and for the sources of machines.",
        subcommands = {SecretsCommand.Put.class, SecretsCommand.Remove.class})
public final class SecretsCommand extends PrintingCommand {
    @Option(names = "--project", paramLabel = "NAME", description = "Of which project; the key's unless given.")
    private String project;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "CHANGED");
        calls().list(project).forEach(item -> table.row(item.name(), item.project(), item.changed()));
        print(table);
    }

    private static SecretsApi calls() {
        return new SecretsApi(BackendClient.configured());
    }

    /** @throws IllegalArgumentException if no variable can have the name */
    private static String checked(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException("secret: expected the name of a variable, got \"" + name + "\"");
        }
        return name;
    }

    /** Sets the value of a secret. */
    @Command(
            name = "set",
            description = "Set a secret, which is never shown again.",
            footer = {
                "",
                "The value is asked for, or read from standard input where that is no terminal: on a command line others on",
                "this host could read it."
            })
    static final class Put extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "Such as HF_TOKEN.")
        private String name;

        @Option(names = "--project", paramLabel = "NAME", description = "Whose it is; the key's project unless given.")
        private String project;

        @Override
        public void run() {
            checked(name);
            calls().put(name, new SecretRequest(project, SecretInput.read("secrets", "value")));
            println(name + " is set");
        }
    }

    /** Removes a secret. */
    @Command(name = "remove", description = "Remove one; programs and machines that have it keep it until they end.")
    static final class Remove extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost secrets shows it.")
        private String name;

        @Option(names = "--project", paramLabel = "NAME", description = "Whose it is; the key's project unless given.")
        private String project;

        @Override
        public void run() {
            calls().remove(checked(name), project);
            println(name + " is removed");
        }
    }
}
