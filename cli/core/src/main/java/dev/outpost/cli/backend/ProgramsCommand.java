package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.ProgramsApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the programs that were published at a backend, or removes a program. */
@Command(
        name = "programs",
        description = "List the programs that machine.publish made callable by HTTP.",
        subcommands = ProgramsCommand.Remove.class)
public final class ProgramsCommand extends PrintingCommand {
    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "GPU", "INPUTS", "OUTPUTS", "ROWS AT ONCE", "WHAT IT DOES");
        calls().list()
                .forEach(item -> table.row(
                        item.name(),
                        item.project(),
                        item.gpu(),
                        String.join(" ", item.inputs()),
                        String.join(" ", item.outputs()),
                        item.mostRows() == 0 ? "not batched" : item.mostRows(),
                        item.text()));
        print(table);
    }

    private static ProgramsApi calls() {
        return new ProgramsApi(BackendClient.configured());
    }

    /** Removes a program. */
    @Command(name = "remove", description = "Remove one once the calls under way are answered.")
    static final class Remove extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost programs shows it.")
        private String name;

        @Override
        public void run() {
            calls().remove(DeploymentName.checked(name));
            println(name + " is removed once its replicas are over");
        }
    }
}
