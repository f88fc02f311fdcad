package dev.outpost.cli.backend.resource;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.ClustersApi;
import dev.outpost.rest.cluster.WorkerCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes the code by which a worker host joins. */
@Command(name = "pair", description = "Make the code by which a worker host joins: ./outpost worker --join URL.")
final class ClusterPairCommand extends PrintingCommand {
    @Parameters(paramLabel = "NAME", description = "Of a cluster whose provider is worker.")
    private String name;

    @Override
    public void run() {
        WorkerCode code = new ClustersApi(BackendClient.configured()).pair(name);
        println(code.code() + "  (valid once, until " + code.until() + ")");
    }
}
