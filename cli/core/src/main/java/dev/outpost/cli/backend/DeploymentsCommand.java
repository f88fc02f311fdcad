package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the deployments of a backend, shows one, rolls one back, removes one. */
@Command(
        name = "deployments",
        description = "List the deployments of a backend; see ./outpost deploy.",
        subcommands = {DeploymentsCommand.Show.class, DeploymentsCommand.Rollback.class, DeploymentsCommand.Remove.class
        })
public final class DeploymentsCommand implements Runnable {
    private static final String PATH = "/v1/deployments";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "REVISION", "REPLICAS", "WHAT IT DOES");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(
                        item.path("name").asText(),
                        item.path("project").asText(),
                        item.path("revision").asText(),
                        item.path("wanted").asText() + " of "
                                + item.path("min").asText() + " to "
                                + item.path("max").asText(),
                        item.path("text").asText()));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    /** Revisions and replicas. */
    @Command(name = "show", description = "Show the revisions and replicas of one.")
    static final class Show implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            JsonNode one = BackendClient.configured().get(PATH + "/" + DeploymentName.checked(name));
            PrintWriter out = spec.commandLine().getOut();
            out.println(one.path("text").asText());
            if (one.has("zeroToToken")) {
                out.println("from no replica to the first token: "
                        + one.path("zeroToToken").asText() + ", at "
                        + one.path("zeroToTokenTold").asText());
            }
            TextTable revisions = new TextTable("REVISION", "MODEL", "GPU", "CREATED", "FAILURE");
            one.path("revisions")
                    .forEach(item -> revisions.row(
                            item.path("number").asText()
                                    + (item.path("number").equals(one.path("revision")) ? " *" : ""),
                            item.path("model").asText(),
                            item.path("gpu").asText(),
                            item.path("created").asText(),
                            item.path("failure").asText()));
            revisions.lines().forEach(out::println);
            TextTable replicas = new TextTable("MACHINE", "REVISION", "STATE", "REQUESTS", "WHAT IT DOES");
            one.path("replicas")
                    .forEach(item -> replicas.row(
                            item.path("machine").asText(),
                            item.path("revision").asText(),
                            item.has("drainingSince")
                                    ? "DRAINING"
                                    : item.path("phase").asText(),
                            Integer.toString(requests(item)),
                            item.path("text").asText()));
            replicas.lines().forEach(out::println);
        }

        private static int requests(JsonNode replica) {
            int sum = 0;
            for (JsonNode gateway : replica.path("gateways")) {
                sum += gateway.path("requests").asInt();
            }
            return sum;
        }
    }

    /** An earlier revision again. */
    @Command(name = "rollback", description = "Roll an earlier revision out again.")
    static final class Rollback implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Option(
                names = "--to",
                paramLabel = "REVISION",
                description = "The last one before that did not fail unless given.")
        private Integer to;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            Map<String, ?> body = to == null ? Map.of() : Map.of("revision", to);
            JsonNode one =
                    BackendClient.configured().post(PATH + "/" + DeploymentName.checked(name) + ":rollback", body);
            spec.commandLine().getOut().println(name + ": " + one.path("text").asText());
        }
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one once the requests under way are answered.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured().delete(PATH + "/" + DeploymentName.checked(name));
            spec.commandLine().getOut().println(name + " is removed once its replicas are over");
        }
    }
}
