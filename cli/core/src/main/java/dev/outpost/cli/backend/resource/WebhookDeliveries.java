package dev.outpost.cli.backend.resource;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.WebhooksApi;
import dev.outpost.rest.webhook.DeliveryState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for the deliveries of a webhook. */
final class WebhookDeliveries {
    private WebhookDeliveries() {}

    private static WebhooksApi calls() {
        return new WebhooksApi(BackendClient.configured());
    }

    /** Lists the deliveries of a webhook. */
    @Command(name = "deliveries", description = "Show what was sent to one, or is to be sent; the newest first.")
    static final class Show extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost webhooks list shows it.")
        private String id;

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "pending, delivered, or dead for what was never taken; all unless given.")
        private DeliveryState state;

        @Override
        public void run() {
            TextTable table = new TextTable("NUMBER", "TYPE", "STATE", "TRIES", "CREATED", "LAST ANSWER");
            calls().deliveries(id, state)
                    .forEach(item ->
                            table.row(item.id(), item.type(), item.state(), item.tries(), item.created(), item.text()));
            print(table);
        }
    }

    /** Sends an event again. */
    @Command(name = "redeliver", description = "Send an event once more.")
    static final class Again extends PrintingCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "As ./outpost webhooks list shows it.")
        private String id;

        @Parameters(
                index = "1",
                paramLabel = "NUMBER",
                description = "Of the event, as ./outpost webhooks deliveries shows it.")
        private long number;

        @Override
        public void run() {
            calls().redeliver(id, number);
            println(number + " is sent again");
        }
    }
}
