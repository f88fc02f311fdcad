package dev.outpost.cli.backend.resource;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.DeploymentsApi;
import dev.outpost.rest.deployment.DeploymentView;
import dev.outpost.rest.deployment.Rollback;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Rolls a deployment back to an earlier revision. */
@Command(name = "rollback", description = "Roll an earlier revision out again.")
final class RollbackCommand extends PrintingCommand {
    @Parameters(paramLabel = "NAME", description = "As ./outpost deployments list shows it.")
    private String name;

    @Option(
            names = "--to",
            paramLabel = "REVISION",
            description = "The last one before that did not fail unless given.")
    private Integer to;

    @Override
    public void run() {
        DeploymentView one = new DeploymentsApi(BackendClient.configured()).rollback(name, new Rollback(to));
        println(name + ": " + one.text());
    }
}
