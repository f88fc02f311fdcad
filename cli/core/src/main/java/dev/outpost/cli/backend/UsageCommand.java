package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.MachineId;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.UsageApi;
import dev.outpost.rest.usage.TokenUsageView;
import dev.outpost.rest.usage.UsageExplanation;
import dev.outpost.rest.usage.UsageView;
import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the costs of a backend's machines. */
@Command(
        name = "usage",
        description = "Tell what machines have cost, by machine and day.",
        subcommands = {UsageCommand.Explain.class, UsageCommand.Tokens.class})
public final class UsageCommand extends PrintingCommand {
    @Option(
            names = "--project",
            paramLabel = "NAME",
            description = "Of one project; of all that the key sees unless given.")
    private String project;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "From its day of UTC on, such as 2026-01-31T00:00:00Z; the month's begin unless given.")
    private String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "To its day of UTC, unless that just begins then; now unless given.")
    private String to;

    @Option(names = "--csv", description = "As comma-separated values, with exact amounts.")
    private boolean isCsv;

    @Override
    public void run() {
        PrintWriter out = out();
        if (isCsv) {
            out.print("day,machine,project,gpu,gpu_seconds,cost,currency\r\n");
            calls().usage(project, from, to, usage -> csv(usage, out));
            return;
        }
        TextTable table = new TextTable("DAY", "MACHINE", "PROJECT", "GPU", "GPU SECONDS", "COST");
        UsageView last = calls().usage(
                        project,
                        from,
                        to,
                        usage -> usage.items()
                                .forEach(item -> table.row(
                                        item.day(),
                                        item.machine(),
                                        item.project(),
                                        item.gpu(),
                                        item.gpuSeconds(),
                                        MoneyFormat.text(item.nanos()))));
        print(table);
        out.println("total " + MoneyFormat.text(last.totalNanos(), last.currency()));
    }

    private static UsageApi calls() {
        return new UsageApi(BackendClient.configured());
    }

    /** Prints exact amounts as CSV (RFC 4180). */
    private static void csv(UsageView usage, PrintWriter out) {
        usage.items()
                .forEach(item -> out.print(String.join(
                                ",",
                                item.day().toString(),
                                item.machine().toString(),
                                item.project(),
                                item.gpu(),
                                Long.toString(item.gpuSeconds()),
                                item.cost().toPlainString(),
                                Objects.requireNonNullElse(usage.currency(), ""))
                        + "\r\n"));
        out.flush();
    }

    /** Prints every charged interval of a machine. */
    @Command(name = "explain", description = "Show every interval that a machine was charged for, with its reason.")
    static final class Explain extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost usage shows it.")
        private String id;

        @Override
        public void run() {
            UsageExplanation usage = calls().explain(MachineId.checked(id));
            TextTable table = new TextTable("FROM", "TO", "BECAUSE", "UNTIL", "SECONDS", "GPUS", "PER HOUR", "COST");
            usage.items()
                    .forEach(item -> table.row(
                            item.from(),
                            item.to(),
                            item.began(),
                            item.ended(),
                            item.seconds(),
                            item.gpus(),
                            MoneyFormat.exact(item.perHour()),
                            MoneyFormat.text(item.nanos())));
            PrintWriter out = out();
            print(table);
            out.println("total " + MoneyFormat.text(usage.totalNanos(), usage.currency()));
        }
    }

    /** Prints the costs of texts. */
    @Command(name = "tokens", description = "Tell what texts of models have cost, by day, project, key and model.")
    static final class Tokens extends PrintingCommand {
        @Option(names = "--project", paramLabel = "NAME", description = "Of one project; of all unless given.")
        private String project;

        @Option(names = "--from", paramLabel = "TIME", description = "From its day of UTC on; this month unless given.")
        private String from;

        @Option(names = "--to", paramLabel = "TIME", description = "To its day of UTC; now unless given.")
        private String to;

        @Override
        public void run() {
            TextTable table =
                    new TextTable("DAY", "PROJECT", "KEY", "MODEL", "TEXTS", "PROMPT", "CACHED", "NEW", "COST");
            TokenUsageView last = calls().tokens(
                            project,
                            from,
                            to,
                            usage -> usage.items()
                                    .forEach(item -> table.row(
                                            item.day(),
                                            item.project(),
                                            item.keyId(),
                                            item.model(),
                                            item.texts(),
                                            item.promptTokens(),
                                            item.cachedTokens(),
                                            item.newTokens(),
                                            MoneyFormat.text(item.nanos()))));
            print(table);
            println("total " + MoneyFormat.text(last.totalNanos(), last.currency()));
        }
    }
}
