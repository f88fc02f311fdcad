package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends a program to a backend, which runs it beside a machine. */
@Command(
        name = "submit",
        description = "Run a program beside a machine of a backend; it goes on when this host is gone.",
        footer = {
            "",
            "Example: ./outpost submit --gpu A100 -- app.jar --epochs 3",
            "In the program, RemoteMachine.of(\"outpost\", \"A100\") is the job's machine. What it leaves in the folder",
            "OUTPOST_JOB_ARTEFACTS is kept: ./outpost jobs artefacts ID."
        })
public final class SubmitCommand implements Runnable {
    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            description = "A name of the catalogue (./outpost gpus); any unless given.")
    private String gpu;

    @Option(names = "--name", paramLabel = "NAME", description = "As lists show it; the jar's name unless given.")
    private String name;

    @Option(names = "--project", paramLabel = "NAME", description = "Which project pays; the key's unless given.")
    private String project;

    @Option(
            names = "--retries",
            paramLabel = "NUMBER",
            description = "How often it is run again after a run that failed or was lost; 0 unless given.")
    private Integer retries;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "How long a run may take, such as 2h; 24h unless given.")
    private Duration timeout;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "A variable of its process.")
    private Map<String, String> environment = Map.of();

    @Option(
            names = "--secret",
            paramLabel = "NAME",
            description = "A secret of the project, as a variable of its process.")
    private List<String> secrets = List.of();

    @Option(
            names = "--follow",
            description = "Show its log until it has ended; Ctrl-C ends the showing, and not the job.")
    private boolean follow;

    @Parameters(arity = "1..*", paramLabel = "JAR ARGUMENT", description = "The program, and what it is given.")
    private List<String> program;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        BackendClient client = BackendClient.configured();
        Path jar = Path.of(program.getFirst());
        String sha256 = JobUpload.send(client, jar);
        JsonNode job = client.put("/v1/jobs/" + UUID.randomUUID(), body(jar, sha256));
        String id = job.path("id").asText();
        spec.commandLine().getOut().println("job " + id);
        if (follow) {
            JobLog.follow(client, id, spec.commandLine().getOut());
            JobLog.requireSuccess(client, id);
        }
    }

    private Map<String, Object> body(Path jar, String sha256) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("program", sha256);
        body.put("programName", jar.getFileName().toString());
        body.put("arguments", program.subList(1, program.size()));
        body.put("environment", environment);
        body.put("secrets", secrets);
        put(body, "gpu", gpu);
        put(body, "name", name);
        put(body, "project", project);
        put(body, "retries", retries);
        put(body, "timeout", timeout == null ? null : timeout.toString());
        return body;
    }

    private static void put(Map<String, Object> body, String field, Object value) {
        if (value != null) {
            body.put(field, value);
        }
    }
}
