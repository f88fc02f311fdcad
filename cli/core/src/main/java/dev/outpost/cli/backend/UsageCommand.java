package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.provider.outpost.MachineId;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what machines of a backend have cost. */
@Command(
        name = "usage",
        description = "Tell what machines have cost, by machine and day.",
        subcommands = UsageCommand.Explain.class)
public final class UsageCommand implements Runnable {
    @Option(
            names = "--project",
            paramLabel = "NAME",
            description = "Of one project; of all that the key sees unless given.")
    private String project;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Such as 2026-01-31T00:00:00Z; the month's begin unless given.")
    private String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Until just before then; now unless given.")
    private String to;

    @Option(names = "--csv", description = "As comma-separated values, with exact amounts.")
    private boolean isCsv;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        JsonNode usage = BackendClient.configured()
                .get(BackendClient.path(
                        "/v1/usage",
                        Map.of(
                                "project", Optional.ofNullable(project),
                                "from", Optional.ofNullable(from),
                                "to", Optional.ofNullable(to))));
        if (isCsv) {
            csv(usage, spec.commandLine().getOut());
            return;
        }
        TextTable table = new TextTable("DAY", "MACHINE", "PROJECT", "GPU", "GPU SECONDS", "COST");
        usage.path("items")
                .forEach(item -> table.row(
                        item.path("day").asText(),
                        item.path("machine").asText(),
                        item.path("project").asText(),
                        item.path("gpu").asText(),
                        item.path("gpuSeconds").asText(),
                        Money.text(item.path("nanos").asLong())));
        PrintWriter out = spec.commandLine().getOut();
        table.lines().forEach(out::println);
        out.println("total " + Money.text(usage.path("totalNanos").asLong(), usage));
    }

    /** Exact amounts, in the form of RFC 4180. */
    private static void csv(JsonNode usage, PrintWriter out) {
        out.print("day,machine,project,gpu,gpu_seconds,cost,currency\r\n");
        usage.path("items")
                .forEach(item -> out.print(String.join(
                                ",",
                                item.path("day").asText(),
                                item.path("machine").asText(),
                                item.path("project").asText(),
                                item.path("gpu").asText(),
                                item.path("gpuSeconds").asText(),
                                item.path("cost").decimalValue().toPlainString(),
                                usage.path("currency").asText(""))
                        + "\r\n"));
        out.flush();
    }

    /** Every interval of one machine. */
    @Command(name = "explain", description = "Show every interval that a machine was charged for, with its reason.")
    static final class Explain implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost usage shows it.")
        private String id;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            JsonNode usage = BackendClient.configured().get("/v1/usage/" + MachineId.checked(id));
            TextTable table = new TextTable("FROM", "TO", "BECAUSE", "UNTIL", "SECONDS", "GPUS", "PER HOUR", "COST");
            usage.path("items")
                    .forEach(item -> table.row(
                            item.path("from").asText(),
                            item.path("to").asText(),
                            item.path("began").asText(),
                            item.path("ended").asText(),
                            item.path("seconds").asText(),
                            item.path("gpus").asText(),
                            Money.exact(item.path("perHour").decimalValue()),
                            Money.text(item.path("nanos").asLong())));
            PrintWriter out = spec.commandLine().getOut();
            table.lines().forEach(out::println);
            out.println("total " + Money.text(usage.path("totalNanos").asLong(), usage));
        }
    }
}
