package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.MachineId;
import dev.outpost.rest.client.BackendClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
    /** The longest page; the first one is as long as the backend makes it. */
    private static final String PAGE = "500";

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

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (isCsv) {
            out.print("day,machine,project,gpu,gpu_seconds,cost,currency\r\n");
            pages(usage -> csv(usage, out));
            return;
        }
        TextTable table = new TextTable("DAY", "MACHINE", "PROJECT", "GPU", "GPU SECONDS", "COST");
        JsonNode last = pages(usage -> usage.path("items")
                .forEach(item -> table.row(
                        item.path("day").asText(),
                        item.path("machine").asText(),
                        item.path("project").asText(),
                        item.path("gpu").asText(),
                        item.path("gpuSeconds").asText(),
                        MoneyFormat.text(item.path("nanos").asLong()))));
        table.lines().forEach(out::println);
        out.println("total " + MoneyFormat.text(last.path("totalNanos").asLong(), last));
    }

    /** Reads all pages, and answers the last one. */
    private JsonNode pages(Consumer<JsonNode> reader) {
        BackendClient client = BackendClient.configured();
        Optional<String> cursor = Optional.empty();
        while (true) {
            JsonNode page = client.get(BackendClient.path(
                    "/v1/usage",
                    Map.of(
                            "project", Optional.ofNullable(project),
                            "from", Optional.ofNullable(from),
                            "to", Optional.ofNullable(to),
                            "cursor", cursor,
                            "limit", cursor.map(next -> PAGE))));
            reader.accept(page);
            cursor = Optional.ofNullable(page.path("next").textValue());
            if (cursor.isEmpty()) {
                return page;
            }
        }
    }

    /** Exact amounts, in the form of RFC 4180. */
    private static void csv(JsonNode usage, PrintWriter out) {
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
                            MoneyFormat.exact(item.path("perHour").decimalValue()),
                            MoneyFormat.text(item.path("nanos").asLong())));
            PrintWriter out = spec.commandLine().getOut();
            table.lines().forEach(out::println);
            out.println("total " + MoneyFormat.text(usage.path("totalNanos").asLong(), usage));
        }
    }
}
