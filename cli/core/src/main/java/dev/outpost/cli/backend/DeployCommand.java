package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a deployment of a backend, or changes it. */
@Command(
        name = "deploy",
        description = "Serve a model by a backend, with as many machines as its requests ask for.",
        footer = {"", "Requests go to a gateway: ./outpost gateway"})
public final class DeployCommand implements Runnable {
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

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        Map<String, Object> body = new LinkedHashMap<>();
        put(body, "model", model);
        put(body, "gpu", gpu);
        put(body, "dtype", dtype);
        put(body, "min", min);
        put(body, "max", max);
        put(body, "target", target);
        put(body, "idle", idle == null ? null : idle.toString());
        put(body, "project", project);
        JsonNode made = BackendClient.configured().put("/v1/deployments/" + DeploymentName.checked(named()), body);
        spec.commandLine()
                .getOut()
                .println(made.path("name").asText() + ", revision "
                        + made.path("revision").asInt() + ": "
                        + made.path("text").asText());
    }

    private static void put(Map<String, Object> body, String field, Object value) {
        if (value != null) {
            body.put(field, value);
        }
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
