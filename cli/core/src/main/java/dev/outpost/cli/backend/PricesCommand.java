package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.UsageApi;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.PriceView;
import java.math.BigDecimal;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the prices of a backend's GPUs, or sets a price. */
@Command(
        name = "prices",
        description = "List what GPUs cost for an hour, and from when on.",
        subcommands = PricesCommand.Put.class)
public final class PricesCommand extends PrintingCommand {
    @Override
    public void run() {
        TextTable table = new TextTable("GPU", "FROM", "PER HOUR");
        calls().prices().forEach(item -> table.row(item.gpu(), item.from(), perHour(item)));
        print(table);
    }

    private static UsageApi calls() {
        return new UsageApi(BackendClient.configured());
    }

    private static String perHour(PriceView price) {
        return price.perHour().stripTrailingZeros().toPlainString() + MoneyFormat.currency(price.currency());
    }

    /** Sets a price. */
    @Command(name = "set", description = "Set a price; what was charged already is not changed. For an operator's key.")
    static final class Put extends PrintingCommand {
        @Parameters(index = "0", paramLabel = "GPU", description = "A name of the catalogue (./outpost gpus), or any.")
        private String gpu;

        @Parameters(index = "1", paramLabel = "AMOUNT", description = "Of one GPU for an hour, such as 3.67.")
        private BigDecimal amount;

        @Option(names = "--from", paramLabel = "TIME", description = "Such as 2026-02-01T00:00:00Z; now unless given.")
        private Instant from;

        @Override
        public void run() {
            PriceView price = calls().putPrice(new PriceRequest(gpu, amount, from));
            println(price.gpu() + ": " + perHour(price) + " an hour from " + price.from() + " on");
        }
    }
}
