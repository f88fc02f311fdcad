package dev.outpost.cli.backend.machine;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Prints the log of a machine. */
@Command(name = "logs", description = "Print the log of a machine.")
public final class MachinesLogs implements Runnable {
    @ParentCommand
    private MachinesCommand machines;

    @Mixin
    private KeeperOption keeper;

    @Parameters(index = "0", paramLabel = "ID", description = "As ./outpost machines list shows it.")
    private String id;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with the lines to come, until the machine ends.")
    private boolean follow;

    @Override
    public void run() {
        PrintWriter out = machines.out();
        machines.keeper(keeper.provider())
                .logs(id, follow)
                .subscribe()
                .asStream()
                .forEach(line -> {
                    out.println(line);
                    out.flush();
                });
    }
}
