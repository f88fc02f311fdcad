package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.DeploymentsApi;
import dev.outpost.rest.deployment.DeploymentRequest;
import dev.outpost.rest.deployment.DeploymentView;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a deployment of a backend, or changes it. */
@Command(
        name = "deploy",
        description = "Serve a model by a backend, with as many machines as its requests ask for.",
        footer = {"", "Requests go to a gateway: ./outpost gateway"})
public final class DeployCommand extends PrintingCommand {
    private static final int LONGEST_NAME = 40;

    @Option(
            names = "--model",
            paramLabel = "URI",
            required = true,
            description = "Such as hf://HuggingFaceTB/SmolLM2-135M-Instruct.")
    private String model;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What requests call it; the last part of the URI unless given.")
    private String name;

    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            description = "A name of the catalogue (./outpost gpus); any unless given.")
    private String gpu;

    @Option(names = "--dtype", paramLabel = "DTYPE", description = "Cast weights to it on their way, such as bfloat16.")
    private String dtype;

    @Option(
            names = "--min",
            paramLabel = "NUMBER",
            description = "How many replicas it has at the least; 0 unless given.")
    private Integer min;

    @Option(
            names = "--max",
            paramLabel = "NUMBER",
            description = "How many replicas it has at the most; 1 unless given.")
    private Integer max;

    @Option(
            names = "--target",
            paramLabel = "NUMBER",
            description =
                    "How many requests a replica computes at a time before there is another one; 16 unless given.")
    private Integer target;

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            description =
                    "How long it has no request before the last replica goes, such as 5m, which holds unless given.")
    private Duration idle;

    @Option(names = "--project", paramLabel = "NAME", description = "Which project pays; the key's unless given.")
    private String project;

    @Override
    public void run() {
        DeploymentView made = new DeploymentsApi(BackendClient.configured())
                .put(
                        DeploymentName.checked(named()),
                        new DeploymentRequest(project, model, gpu, dtype, min, max, target, idle));
        println(made.name() + ", revision " + made.revision() + ": " + made.text());
    }

    private String named() {
        if (name != null) {
            return name;
        }
        String path = model.replaceAll("/+$", "");
        String last = path.substring(Math.max(path.lastIndexOf('/'), path.indexOf(':')) + 1);
        String slug = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return slug.substring(0, Math.min(LONGEST_NAME, slug.length())).replaceAll("^-+|-+$", "");
    }
}
