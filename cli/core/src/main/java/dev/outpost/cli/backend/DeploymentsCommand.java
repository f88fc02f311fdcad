package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.DeploymentsApi;
import dev.outpost.rest.deployment.DeploymentView;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the deployments of a backend; shows, rolls back or removes a deployment. */
@Command(
        name = "deployments",
        description = "List the deployments of a backend; see ./outpost deploy.",
        subcommands = {DeploymentsCommand.Show.class, DeploymentsCommand.Rollback.class, DeploymentsCommand.Remove.class
        })
public final class DeploymentsCommand extends PrintingCommand {
    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "REVISION", "REPLICAS", "WHAT IT DOES");
        calls().list()
                .forEach(item -> table.row(
                        item.name(),
                        item.project(),
                        item.revision(),
                        item.wanted() + " of " + item.min() + " to " + item.max(),
                        item.text()));
        print(table);
    }

    private static DeploymentsApi calls() {
        return new DeploymentsApi(BackendClient.configured());
    }

    /** Shows the revisions and replicas of a deployment. */
    @Command(name = "show", description = "Show the revisions and replicas of one.")
    static final class Show extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Override
        public void run() {
            DeploymentView one = calls().find(DeploymentName.checked(name));
            PrintWriter out = out();
            out.println(one.text());
            if (one.zeroToToken() != null) {
                out.println(
                        "from no replica to the first token: " + one.zeroToToken() + ", at " + one.zeroToTokenTold());
            }
            TextTable revisions = new TextTable("REVISION", "MODEL", "GPU", "CREATED", "FAILURE");
            one.revisions()
                    .forEach(item -> revisions.row(
                            item.number() + (item.number() == one.revision() ? " *" : ""),
                            item.model(),
                            item.gpu(),
                            item.created(),
                            item.failure()));
            print(revisions);
            TextTable replicas = new TextTable("MACHINE", "REVISION", "STATE", "REQUESTS", "WHAT IT DOES");
            one.replicas()
                    .forEach(item -> replicas.row(
                            item.machine(),
                            item.revision(),
                            item.drainingSince() == null ? item.phase() : "DRAINING",
                            item.gateways().stream()
                                    .mapToInt(DeploymentView.UseView::requests)
                                    .sum(),
                            item.text()));
            print(replicas);
        }
    }

    /** Rolls a deployment back to an earlier revision. */
    @Command(name = "rollback", description = "Roll an earlier revision out again.")
    static final class Rollback extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Option(
                names = "--to",
                paramLabel = "REVISION",
                description = "The last one before that did not fail unless given.")
        private Integer to;

        @Override
        public void run() {
            DeploymentView one =
                    calls().rollback(DeploymentName.checked(name), new dev.outpost.rest.deployment.Rollback(to));
            println(name + ": " + one.text());
        }
    }

    /** Removes a deployment. */
    @Command(name = "remove", description = "Remove one once the requests under way are answered.")
    static final class Remove extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost deployments shows it.")
        private String name;

        @Override
        public void run() {
            calls().remove(DeploymentName.checked(name));
            println(name + " is removed once its replicas are over");
        }
    }
}
