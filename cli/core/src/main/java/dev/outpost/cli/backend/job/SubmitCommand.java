package dev.outpost.cli.backend.job;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.JobsApi;
import dev.outpost.rest.job.JobRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
public final class SubmitCommand extends PrintingCommand {
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

    @Override
    public void run() {
        BackendClient client = BackendClient.configured();
        Path jar = Path.of(program.getFirst());
        String sha256 = JobUpload.send(client, jar);
        JobsApi jobs = new JobsApi(client);
        String id = jobs.put(UUID.randomUUID().toString(), request(jar, sha256))
                .id()
                .toString();
        println("job " + id);
        if (follow) {
            JobLog.follow(jobs, id, out());
            JobLog.requireSuccess(jobs, id);
        }
    }

    private JobRequest request(Path jar, String sha256) {
        return new JobRequest(
                name,
                project,
                gpu,
                sha256,
                jar.getFileName().toString(),
                program.subList(1, program.size()),
                environment,
                secrets,
                retries,
                timeout);
    }
}
