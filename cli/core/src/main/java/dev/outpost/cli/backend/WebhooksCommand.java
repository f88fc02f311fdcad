package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the webhooks of a backend, adds one, removes one, and shows and repeats what was never taken. */
@Command(
        name = "webhooks",
        description = "List the addresses that events are sent to.",
        subcommands = {
            WebhooksCommand.Add.class,
            WebhooksCommand.Deliveries.class,
            WebhooksCommand.Redeliver.class,
            WebhooksCommand.Remove.class
        })
public final class WebhooksCommand implements Runnable {
    private static final String PATH = "/v1/webhooks";

    /** How a delivery stands. */
    enum State {
        PENDING,
        DELIVERED,
        DEAD
    }

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("ID", "URL", "PROJECT", "TYPES", "STATE");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(
                        item.path("id").asText(),
                        item.path("url").asText(),
                        item.path("project").asText("all"),
                        types(item.path("types")),
                        item.path("paused").asBoolean() ? "paused" : ""));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static String types(JsonNode types) {
        String listed = StreamSupport.stream(types.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(","));
        return listed.isEmpty() ? "all" : listed;
    }

    /** A webhook's id as people give it. */
    private static String checked(String id) {
        try {
            return UUID.fromString(id).toString();
        } catch (IllegalArgumentException ignored) {
            throw new IllegalArgumentException(
                    "webhook: expected an id as ./outpost webhooks shows it, got \"" + id + "\"");
        }
    }

    /** A new one. */
    @Command(name = "add", description = "Send events to an address from now on; prints the secret that signs them.")
    static final class Add implements Runnable {
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

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("url", url);
            Optional.ofNullable(types).ifPresent(all -> body.put("types", all));
            Optional.ofNullable(project).ifPresent(name -> body.put("project", name));
            JsonNode made = BackendClient.configured().put(PATH + "/" + UUID.randomUUID(), body);
            PrintWriter out = spec.commandLine().getOut();
            out.println("id      " + made.path("id").asText());
            out.println("secret  " + made.path("secret").asText() + "  (it is not shown again)");
        }
    }

    /** Events on their way. */
    @Command(name = "deliveries", description = "Show what was sent to one, or is to be sent; the newest first.")
    static final class Deliveries implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "pending, delivered, or dead for what was never taken; all unless given.")
        private State state;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            TextTable table = new TextTable("NUMBER", "TYPE", "STATE", "TRIES", "CREATED", "LAST ANSWER");
            Pages.read(
                    BackendClient.configured(),
                    PATH + "/" + checked(id) + "/deliveries",
                    Map.of("state", Optional.ofNullable(state).map(State::name)),
                    item -> table.row(
                            item.path("id").asText(),
                            item.path("type").asText(),
                            item.path("state").asText(),
                            item.path("tries").asText(),
                            item.path("created").asText(),
                            item.path("text").asText()));
            table.lines().forEach(spec.commandLine().getOut()::println);
        }
    }

    /** One event once more. */
    @Command(name = "redeliver", description = "Send an event once more.")
    static final class Redeliver implements Runnable {
        @Parameters(index = "0", paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Parameters(
                index = "1",
                paramLabel = "NUMBER",
                description = "Of the event, as ./outpost webhooks deliveries shows it.")
        private long number;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured()
                    .post(PATH + "/" + checked(id) + "/deliveries/" + number + ":redeliver", Map.of());
            spec.commandLine().getOut().println(number + " is sent again");
        }
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one, with what was not delivered.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost webhooks shows it.")
        private String id;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured().delete(PATH + "/" + checked(id));
            spec.commandLine().getOut().println(id + " is removed");
        }
    }
}
