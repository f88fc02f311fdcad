package dev.outpost.cli.backend.machine;

import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSummary;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Ends machines. */
@Command(name = "stop", description = "End machines, and remove what belongs to them.")
public final class MachinesStop implements Runnable {
    @ParentCommand
    private MachinesCommand machines;

    @Mixin
    private KeeperOption keeper;

    @ArgGroup(multiplicity = "1")
    private Which which;

    /** The machines to end: some by their ids, or all machines. */
    static final class Which {
        @Parameters(arity = "1..*", paramLabel = "ID", description = "As ./outpost machines list shows it.")
        private List<String> ids;

        @Option(names = "--all", description = "All machines that the list shows, whoever started them.")
        private boolean all;
    }

    @Override
    public void run() {
        MachineKeeper kept = machines.keeper(keeper.provider());
        List<String> ids = which.all ? all(kept) : which.ids;
        if (ids.isEmpty()) {
            machines.out().println("no machines");
        }
        ids.forEach(id -> stop(kept, id));
    }

    private static List<String> all(MachineKeeper kept) {
        return kept.list().await().indefinitely().stream()
                .map(MachineSummary::id)
                .toList();
    }

    private void stop(MachineKeeper kept, String id) {
        kept.stop(id).await().indefinitely();
        machines.out().println("stopped " + id);
        machines.out().flush();
    }
}
