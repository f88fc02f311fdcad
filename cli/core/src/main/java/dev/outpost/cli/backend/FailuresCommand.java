package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.ClustersApi;
import dev.outpost.rest.cluster.FailureView;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;

/** Prints what loops of the backend cannot process. */
@Command(
        name = "failures",
        description = "Show the rows that the backend fails to process, with the reason; for an operator's key.")
public final class FailuresCommand extends PrintingCommand {
    @Override
    public void run() {
        List<FailureView> failures = new ClustersApi(BackendClient.configured()).failures();
        if (failures.isEmpty()) {
            println("no failures");
            return;
        }
        TextTable table = new TextTable("LOOP", "ROW", "FAILURES", "SINCE", "NEXT TRY", "REASON");
        failures.forEach(failure -> table.row(
                failure.loop(),
                failure.row(),
                failure.failures(),
                failure.since().truncatedTo(ChronoUnit.SECONDS),
                failure.retry().truncatedTo(ChronoUnit.SECONDS),
                failure.text()));
        print(table);
    }
}
