package dev.outpost.cli.backend.machine;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.MachineId;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.MachinesApi;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the events of a machine of a backend. */
@Command(name = "events", description = "Show what has happened to a machine of a backend, also after its end.")
public final class MachinesEvents extends PrintingCommand {
    @Parameters(paramLabel = "ID", description = "As ./outpost machines list outpost shows it.")
    private String id;

    @Override
    public void run() {
        TextTable table = new TextTable("TIME", "PHASE", "WHAT HAPPENED");
        new MachinesApi(BackendClient.configured())
                .events(MachineId.checked(id))
                .forEach(event -> table.row(event.at().truncatedTo(ChronoUnit.SECONDS), event.phase(), event.text()));
        print(table);
    }
}
