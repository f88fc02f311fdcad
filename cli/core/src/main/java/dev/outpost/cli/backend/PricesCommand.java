package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the prices of a backend's GPUs, sets one. */
@Command(
        name = "prices",
        description = "List what GPUs cost for an hour, and from when on.",
        subcommands = PricesCommand.Put.class)
public final class PricesCommand implements Runnable {
    private static final String PATH = "/v1/prices";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("GPU", "FROM", "PER HOUR");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(item.path("gpu").asText(), item.path("from").asText(), perHour(item)));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static String perHour(JsonNode price) {
        return price.path("perHour").decimalValue().stripTrailingZeros().toPlainString() + MoneyFormat.currency(price);
    }

    /** A new price. */
    @Command(name = "set", description = "Set a price; what was charged already is not changed. For an operator's key.")
    static final class Put implements Runnable {
        @Parameters(index = "0", paramLabel = "GPU", description = "A name of the catalogue (./outpost gpus), or any.")
        private String gpu;

        @Parameters(index = "1", paramLabel = "AMOUNT", description = "Of one GPU for an hour, such as 3.67.")
        private BigDecimal amount;

        @Option(names = "--from", paramLabel = "TIME", description = "Such as 2026-02-01T00:00:00Z; now unless given.")
        private String from;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("gpu", gpu);
            body.put("perHour", amount);
            Optional.ofNullable(from).ifPresent(time -> body.put("from", time));
            JsonNode price = BackendClient.configured().put(PATH, body);
            spec.commandLine()
                    .getOut()
                    .println(price.path("gpu").asText() + ": " + perHour(price) + " an hour from "
                            + price.path("from").asText() + " on");
        }
    }
}
