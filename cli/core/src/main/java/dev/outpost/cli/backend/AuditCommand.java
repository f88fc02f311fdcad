package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.TenantApi;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the audit log of an organisation. */
@Command(name = "audit", description = "Show who has changed what in the organisation, the newest first.")
public final class AuditCommand extends PrintingCommand {
    @Option(
            names = "--limit",
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "How many acts are shown at the most; ${DEFAULT-VALUE} unless given.")
    private int limit;

    @Override
    public void run() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit: expected 1 or more, got " + limit);
        }
        TextTable table = new TextTable("TIME", "KEY", "ACTION", "TARGET", "DETAIL");
        new TenantApi(BackendClient.configured())
                .audit(limit)
                .forEach(act -> table.row(
                        act.at().truncatedTo(ChronoUnit.SECONDS),
                        act.actor(),
                        act.action(),
                        act.target(),
                        act.detail()));
        print(table);
    }
}
