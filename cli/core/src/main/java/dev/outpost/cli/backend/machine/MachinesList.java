package dev.outpost.cli.backend.machine;

import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.MachineSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Lists the machines of a provider. */
@Command(name = "list", description = "List the machines there are, those included that ended a while ago.")
public final class MachinesList implements Runnable {
    private static final String UNKNOWN = "-";

    @ParentCommand
    private MachinesCommand machines;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PROVIDER",
            defaultValue = MachinesCommand.DEFAULT_PROVIDER,
            description = "Whose machines; ${DEFAULT-VALUE} unless given.")
    private String provider;

    @Override
    public void run() {
        List<MachineSummary> all = machines.keeper(provider).list().await().indefinitely();
        if (all.isEmpty()) {
            machines.out().println("no machines");
            return;
        }
        Instant now = machines.clock().instant();
        TextTable table = new TextTable("ID", "GPU", "STATE", "OWNER", "AGE", "ENDS");
        all.forEach(machine -> addRow(table, machine, now));
        table.lines().forEach(machines.out()::println);
    }

    private static void addRow(TextTable table, MachineSummary machine, Instant now) {
        table.row(
                machine.id(),
                machine.gpu(),
                machine.state(),
                machine.owner(),
                Ages.text(Duration.between(machine.created(), now)),
                machine.ends().map(end -> Ages.text(end, now)).orElse(UNKNOWN));
    }
}
