package dev.outpost.cli.models;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The group of commands about models. */
@Command(
        name = "models",
        description = "Tell what is in a model and what it needs.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ModelsInfo.class)
final class ModelsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
