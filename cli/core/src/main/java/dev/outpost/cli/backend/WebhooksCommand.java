package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.WebhooksApi;
import dev.outpost.rest.webhook.DeliveryState;
import dev.outpost.rest.webhook.WebhookRequest;
import dev.outpost.rest.webhook.WebhookView;
import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the webhooks of a backend; adds or removes a webhook; shows deliveries and sends them again. */
@Command(
        name = "webhooks",
        description = "List the addresses that events are sent to.",
        subcommands = {
            WebhooksCommand.Add.class,
            WebhooksCommand.Deliveries.class,
            WebhooksCommand.Redeliver.class,
            WebhooksCommand.Remove.class
        })
public final class WebhooksCommand extends PrintingCommand {
    @Override
    public void run() {
        TextTable table = new TextTable("ID", "URL", "PROJECT", "TYPES", "STATE");
        calls().list()
                .forEach(item -> table.row(
                        item.id(),
                        item.url(),
                        item.project() == null ? "all" : item.project(),
                        item.types().isEmpty() ? "all" : String.join(",", item.types()),
                        item.paused() ? "paused" : ""));
        print(table);
    }

    private static WebhooksApi calls() {
        return new WebhooksApi(BackendClient.configured());
    }

    /** Checks a webhook's id that a person typed. */
    private static String checked(String id) {
        try {
            return UUID.fromString(id).toString();
        } catch (IllegalArgumentException ignored) {
            throw new IllegalArgumentException(
                    "webhook: expected an id as ./outpost webhooks shows it, got \"" + id + "\"");
        }
    }

    /** Adds a webhook. */
    @Command(name = "add", description = "Send events to an address from now on; prints the secret that signs them.")
    static final class Add extends PrintingCommand {
        @Parameters(paramLabel = "URL", description = "Such as https://example.org/outpost.")
        private String url;

        @Option(
                names = "--types",
                paramLabel = "TYPE",
                split = ",",
                description = "Beginnings of types, such as job.,machine.ended; all unless given.")
        private List<String> types;

        @Option(
                names = "--project",
                paramLabel = "NAME",
                description = "Whose events; those of the organisation unless given.")
        private String project;

        @Override
        public void run() {
            WebhookView made = calls().put(UUID.randomUUID().toString(), new WebhookRequest(url, project, types, null));
            PrintWriter out = out();
            out.println("id      " + made.id());
            out.println("secret  " + made.secret() + "  (it is not shown again)");
        }
    }

    /** Lists the deliveries of a webhook. */
    @Command(name = "deliveries", description = "Show what was sent to one, or is to be sent; the newest first.")
    static final class Deliveries extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "pending, delivered, or dead for what was never taken; all unless given.")
        private DeliveryState state;

        @Override
        public void run() {
            TextTable table = new TextTable("NUMBER", "TYPE", "STATE", "TRIES", "CREATED", "LAST ANSWER");
            calls().deliveries(checked(id), state)
                    .forEach(item ->
                            table.row(item.id(), item.type(), item.state(), item.tries(), item.created(), item.text()));
            print(table);
        }
    }

    /** Sends an event again. */
    @Command(name = "redeliver", description = "Send an event once more.")
    static final class Redeliver extends PrintingCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Parameters(
                index = "1",
                paramLabel = "NUMBER",
                description = "Of the event, as ./outpost webhooks deliveries shows it.")
        private long number;

        @Override
        public void run() {
            calls().redeliver(checked(id), number);
            println(number + " is sent again");
        }
    }

    /** Removes a webhook. */
    @Command(name = "remove", description = "Remove one, with what was not delivered.")
    static final class Remove extends PrintingCommand {
        @Parameters(paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Override
        public void run() {
            calls().remove(checked(id));
            println(id + " is removed");
        }
    }
}
