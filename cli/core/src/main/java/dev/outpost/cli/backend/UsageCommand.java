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
        out.println("total " + Money.text(usage.path("totalNanos").asLong()));
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
            TextTable table = new TextTable("FROM", "TO", "BECAUSE", "UNTIL", "SECONDS", "GPUS", "NANOS/S", "COST");
            usage.path("items")
                    .forEach(item -> table.row(
                            item.path("from").asText(),
                            item.path("to").asText(),
                            item.path("began").asText(),
                            item.path("ended").asText(),
                            item.path("seconds").asText(),
                            item.path("gpus").asText(),
                            item.path("nanosPerSecond").asText(),
                            Money.text(item.path("nanos").asLong())));
            PrintWriter out = spec.commandLine().getOut();
            table.lines().forEach(out::println);
            out.println("total " + Money.text(usage.path("totalNanos").asLong()));
        }
    }
}
