package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.cli.backend.job.JobUpload;
import dev.outpost.cli.backend.job.JobsCommand;
import dev.outpost.cli.support.SecretInput;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.ClustersApi;
import dev.outpost.rest.client.DeploymentsApi;
import dev.outpost.rest.client.JobsApi;
import dev.outpost.rest.client.MachinesApi;
import dev.outpost.rest.client.PoolsApi;
import dev.outpost.rest.client.ProgramsApi;
import dev.outpost.rest.client.SchedulesApi;
import dev.outpost.rest.client.SecretsApi;
import dev.outpost.rest.client.WebhooksApi;
import dev.outpost.rest.cluster.ClusterRequest;
import dev.outpost.rest.cluster.PoolRequest;
import dev.outpost.rest.deployment.DeploymentRequest;
import dev.outpost.rest.deployment.ProgramRequest;
import dev.outpost.rest.job.JobRequest;
import dev.outpost.rest.job.ScheduleRequest;
import dev.outpost.rest.job.SecretRequest;
import dev.outpost.rest.machine.MachineView;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.machine.Sharing;
import dev.outpost.rest.machine.Sharing.SharingMode;
import dev.outpost.rest.webhook.WebhookRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.StreamSupport;

/** The kinds of clusters, of programs and of other work of machines. */
final class WorkKinds {
    private static final String SLUG = "Lower-case letters, digits and inner dashes.";
    private static final String PROJECT = "project";
    private static final String PAYS = "Which project pays; the key's unless given.";
    private static final String GPU = "A name of the catalogue (./outpost gpus); any unless given.";
    private static final String JAR = "jar";
    private static final String PROGRAM = "program";
    private static final String FROM_ENV = "valueFromEnv";
    private static final String FROM_FILE = "valueFromFile";

    private WorkKinds() {}

    static ResourceKind secret() {
        return ResourceKind.of(
                        "Secret",
                        "secrets",
                        "Secrets for jobs and for the sources of machines. A value is never shown.")
                .named(Field.text("name", "The name of a variable, such as HF_TOKEN."))
                .distinguishedBy(Field.text(PROJECT, "Whose it is; the key's project unless given."))
                .field(Field.local(
                        FROM_ENV,
                        String.class,
                        "The variable that holds the value; asked for, or read from standard"
                                + " input, unless given."))
                .field(Field.local(FROM_FILE, Path.class, "The file that holds the value."))
                .columns("name", PROJECT, "changed")
                .setMakes()
                .lists((client, scope) -> new SecretsApi(client).list(scope.get(PROJECT)))
                .puts((client, wanted, present) -> new SecretsApi(client)
                        .put(variable(wanted), new SecretRequest(wanted.part(PROJECT), value(wanted))))
                .removes((client, present) -> new SecretsApi(client).remove(present.name(), present.part(PROJECT)));
    }

    private static String variable(Resource secret) {
        if (!secret.name().matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException(
                    "secret: expected the name of a variable, got \"" + secret.name() + "\"");
        }
        return secret.name();
    }

    /** Returns a value, which is not on the command line because others on this host could read it there. */
    private static String value(Resource secret) {
        String variable = secret.text(FROM_ENV);
        String file = secret.text(FROM_FILE);
        if (variable != null) {
            return Optional.ofNullable(System.getenv(variable))
                    .orElseThrow(() -> new IllegalArgumentException(
                            secret.title() + ": " + FROM_ENV + ": the variable " + variable + " is not set"));
        }
        if (file == null) {
            return SecretInput.read("secrets", "value");
        }
        try {
            return Files.readString(Path.of(file)).stripTrailing();
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    secret.title() + ": " + FROM_FILE + ": " + file + " cannot be read", failure);
        }
    }

    static ResourceKind cluster() {
        return ResourceKind.of(
                        "Cluster",
                        "clusters",
                        "The clusters and worker hosts on which machines run; for an operator's key.")
                .named(Field.text("name", SLUG))
                .field(ClusterRequest.class, "provider", "Such as process, k8s or worker; it stays.")
                .field(
                        ClusterRequest.class,
                        "state",
                        "active, cordoned (no new machines) or draining (its machines end); active unless given.")
                .field(ClusterRequest.class, "gpus", "The kinds of its GPUs, such as A100,L4; all unless given.")
                .field(ClusterRequest.class, "machines", "For how many machines it has room; any number unless given.")
                .field(
                        ClusterRequest.class,
                        "options",
                        "A setting of its provider; may be repeated. Values may be secrets, and are not shown.")
                .field(
                        ClusterRequest.class,
                        "relay",
                        "HOST:PORT at which clients reach its machines; the machines themselves unless given.")
                .columns("name", "provider", "state", "gpus", "machines", "used", "trouble")
                .hides("options")
                .viewed(view -> view.set("optionNames", view.remove("options")))
                .lists((client, scope) -> new ClustersApi(client).list())
                .puts((client, wanted, present) ->
                        new ClustersApi(client).put(wanted.name(), wanted.as(ClusterRequest.class)))
                .removes((client, present) -> new ClustersApi(client).remove(present.name()))
                .subcommand("pair", ClusterPairCommand::new);
    }

    static ResourceKind pool() {
        return ResourceKind.of("Pool", "pools", "The pools of machines that wait for requests; for an operator's key.")
                .named(Field.text("name", SLUG))
                .field(Field.of(PoolRequest.class, "gpu", GPU).orElse("any"))
                .field(PoolRequest.class, "min", "How many machines wait at the least; 0 unless given.")
                .field(PoolRequest.class, "max", "How many wait at the most; as many as --min, but 1, unless given.")
                .field(PoolRequest.class, "idle", "As many wait as were claimed within it; 10m unless given.")
                .field(PoolRequest.class, "lease", "Requests with this lease get its machines; 1m unless given.")
                .field(PoolRequest.class, "paused", "End the machines that wait, and start no more.")
                .columns("name", "gpu", "waiting", "min", "max", "idle", "lease", "paused", "text")
                .setMakes()
                .viewed(view -> view.put(
                        "waiting",
                        parts(view.path("members"))
                                .filter(member -> member.path("phase").asText().equals(Phase.READY.name()))
                                .count()))
                .lists((client, scope) -> new PoolsApi(client).list())
                .puts((client, wanted, present) ->
                        new PoolsApi(client).put(wanted.name(), wanted.as(PoolRequest.class)))
                .removes((client, present) -> new PoolsApi(client).remove(present.name()));
    }

    private static java.util.stream.Stream<JsonNode> parts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static ResourceKind webhook() {
        return ResourceKind.of("Webhook", "webhooks", "The addresses that events are sent to.")
                .named(Field.of(WebhookRequest.class, "url", "Such as https://example.org/outpost; or the id of one."))
                .within(Field.of(WebhookRequest.class, PROJECT, "Whose events; the whole organisation's unless given."))
                .distinguishedBy(Field.text("id", "Which of several with one address."))
                .field(
                        WebhookRequest.class,
                        "types",
                        "Beginnings of the types that are sent, such as job.,machine.ended; all unless given.")
                .field(WebhookRequest.class, "paused", "Send nothing for now.")
                .columns("id", "url", PROJECT, "types", "paused")
                .lists((client, scope) -> new WebhooksApi(client).list())
                .puts((client, wanted, present) -> new WebhooksApi(client)
                        .put(
                                present.map(there -> there.part("id"))
                                        .orElseGet(() -> UUID.randomUUID().toString()),
                                wanted.as(WebhookRequest.class)))
                .removes((client, present) -> new WebhooksApi(client).remove(present.part("id")))
                .subcommand("deliveries", WebhookDeliveries.Show::new)
                .subcommand("redeliver", WebhookDeliveries.Again::new);
    }

    static ResourceKind schedule() {
        return ResourceKind.of("Schedule", "schedules", "Schedules, which run a program at given times.")
                .named(Field.text("name", SLUG))
                .field(
                        ScheduleRequest.class,
                        "cron",
                        "Minute, hour, day of month, month, day of week: \"30 2 * * 1-5\".")
                .field(ScheduleRequest.class, "zone", "The time zone of --cron; UTC unless given.")
                .field(
                        ScheduleRequest.class,
                        "missed",
                        "What is done about times at which no backend ran; skip unless given.")
                .field(ScheduleRequest.class, "overlap", "Start a job while the previous one still runs.")
                .field(ScheduleRequest.class, "paused", "Make no jobs for now.")
                .field(Field.local(JAR, Path.class, "The program, which is sent."))
                .field(JobRequest.class, PROJECT, PAYS)
                .field(Field.of(JobRequest.class, "gpu", GPU).orElse("any"))
                .field(JobRequest.class, PROGRAM, "The SHA-256 of a program that was sent before, in place of --jar.")
                .field(Field.of(JobRequest.class, "programName", "The file name of the program.")
                        .orElse("program.jar"))
                .field(JobRequest.class, "arguments", "An argument of the program; may be repeated.")
                .field(JobRequest.class, "environment", "A variable of its process; may be repeated.")
                .field(JobRequest.class, "secrets", "Secrets of the project, as variables of its process.")
                .field(JobRequest.class, "retries", "How often a run that failed is repeated; 0 unless given.")
                .field(JobRequest.class, "timeout", "How long a run may take, such as 2h; 24h unless given.")
                .columns("name", PROJECT, "cron", "zone", "next", "paused", "programName", "text")
                .lists((client, scope) -> new SchedulesApi(client).list())
                .prepares(WorkKinds::withProgram)
                .puts(WorkKinds::putSchedule)
                .removes((client, present) -> new SchedulesApi(client).remove(present.name()));
    }

    /** Returns a schedule with the hash and the name of its jar. */
    private static Resource withProgram(Resource schedule) {
        String jar = schedule.text(JAR);
        if (jar != null) {
            schedule.spec()
                    .put(PROGRAM, JobUpload.sha256(Path.of(jar)))
                    .put("programName", Path.of(jar).getFileName().toString());
        }
        return schedule;
    }

    private static Object putSchedule(BackendClient client, Resource wanted, Optional<Resource> present) {
        if (wanted.text(JAR) != null) {
            JobUpload.send(client, Path.of(wanted.text(JAR)));
        }
        ObjectNode tree = wanted.tree();
        tree.set("job", wanted.tree());
        return new SchedulesApi(client).put(wanted.name(), wanted.as(ScheduleRequest.class, tree));
    }

    static ResourceKind job() {
        return ResourceKind.of("Job", "jobs", "The jobs of a backend, which ./outpost submit makes.")
                .named(Field.text("id", "The id of a job, as ./outpost jobs list shows it."))
                .columns("id", "name", PROJECT, "gpu", "phase", "attempt", "created", "text")
                .refuses("create", "./outpost submit sends a program and makes a job")
                .refuses("set", "a job runs as it was asked for; submit another one")
                .lists((client, scope) -> new JobsApi(client).list())
                .detailed((client, listed) -> ResourceKind.MAPPER.valueToTree(
                        new JobsApi(client).find(listed.path("id").asText())))
                .removes((client, present) -> new JobsApi(client).cancel(present.name()))
                .prunes((client, present) -> false)
                .subcommand("log", JobsCommand.Log::new)
                .subcommand("artefacts", JobsCommand.Artefacts::new)
                .subcommand("cancel", JobsCommand.Cancel::new);
    }

    static ResourceKind deployment() {
        return ResourceKind.of(
                        "Deployment",
                        "deployments",
                        "Models that are served, with as many machines as requests ask for.")
                .named(Field.text("name", "What requests call it: lower-case letters, digits and inner dashes."))
                .field(DeploymentRequest.class, "model", "Such as hf://HuggingFaceTB/SmolLM2-135M-Instruct.")
                .field(DeploymentRequest.class, PROJECT, PAYS)
                .field(Field.of(DeploymentRequest.class, "gpu", GPU).orElse("any"))
                .field(DeploymentRequest.class, "dtype", "Cast weights to it on their way, such as bfloat16.")
                .field(DeploymentRequest.class, "min", "How many replicas it has at the least; 0 unless given.")
                .field(DeploymentRequest.class, "max", "How many replicas it has at the most; 1 unless given.")
                .field(
                        DeploymentRequest.class,
                        "target",
                        "How many requests a replica computes at a time before there is another one; 16 unless given.")
                .field(
                        DeploymentRequest.class,
                        "idle",
                        "How long it has no request before the last replica goes; 5m unless given.")
                .columns("name", PROJECT, "revision", "wanted", "min", "max", "text")
                .lists((client, scope) -> new DeploymentsApi(client).list())
                .detailed(WorkKinds::deployment)
                .puts((client, wanted, present) ->
                        new DeploymentsApi(client).put(wanted.name(), wanted.as(DeploymentRequest.class)))
                .removes((client, present) -> new DeploymentsApi(client).remove(present.name()))
                // A published program has a deployment of its name, which goes with the program.
                .prunes((client, present) -> new ProgramsApi(client)
                        .list().stream().noneMatch(one -> one.name().equals(present.name())))
                .subcommand("rollback", RollbackCommand::new);
    }

    /** Returns the view of one deployment with the model, the GPU and the dtype of its revision. */
    private static ObjectNode deployment(BackendClient client, ObjectNode listed) {
        ObjectNode whole = ResourceKind.MAPPER.valueToTree(
                new DeploymentsApi(client).find(listed.path("name").asText()));
        parts(whole.path("revisions"))
                .filter(one -> one.path("number").equals(whole.path("revision")))
                .forEach(one -> List.of("model", "gpu", "dtype").forEach(field -> whole.set(field, one.get(field))));
        // Each gateway reports the requests that it has sent to a replica.
        parts(whole.path("replicas"))
                .forEach(replica -> ((ObjectNode) replica)
                        .put(
                                "requests",
                                parts(replica.path("gateways"))
                                        .mapToInt(use -> use.path("requests").asInt())
                                        .sum()));
        return whole;
    }

    static ResourceKind program() {
        return ResourceKind.of("Program", "programs", "The programs that machine.publish made callable by HTTP.")
                .named(Field.text("name", SLUG))
                .field(ProgramRequest.class, "file", "The SHA-256 of a file that was sent before.")
                .field(ProgramRequest.class, PROJECT, PAYS)
                .field(Field.of(ProgramRequest.class, "gpu", GPU).orElse("any"))
                .field(ProgramRequest.class, "inputs", "The dtype and shape of each input, such as float32[1,4].")
                .field(ProgramRequest.class, "outputs", "The dtype and shape of each output.")
                .field(ProgramRequest.class, "mostRows", "How many rows a batch has at the most; 0 without batches.")
                .field(ProgramRequest.class, "min", "How many replicas it has at the least.")
                .field(ProgramRequest.class, "max", "How many replicas it has at the most.")
                .field(ProgramRequest.class, "target", "How many calls a replica computes before there is another one.")
                .field(ProgramRequest.class, "idle", "How long it has no call before the last replica goes.")
                .columns("name", PROJECT, "gpu", "inputs", "outputs", "mostRows", "text")
                .lists((client, scope) -> new ProgramsApi(client).list())
                .detailed((client, listed) -> {
                    JsonNode scale = ResourceKind.MAPPER.valueToTree(
                            new DeploymentsApi(client).find(listed.path("name").asText()));
                    List.of("min", "max", "target", "idle", "version")
                            .forEach(field -> listed.set(field, scale.get(field)));
                    return listed;
                })
                .puts((client, wanted, present) ->
                        new ProgramsApi(client).put(wanted.name(), wanted.as(ProgramRequest.class)))
                .removes((client, present) -> new ProgramsApi(client).remove(present.name()));
    }

    /** A machine whose memory is divided among the holders of its grants. */
    private record Share(String machine, String gpu, String owner, Long memoryBytes, int grants) {}

    static ResourceKind share() {
        return ResourceKind.of(
                        "Share", "shares", "Machines whose memory is divided among those who have access to them.")
                .named(Field.of(Share.class, "machine", "The id of a machine, as ./outpost machines list shows it."))
                .field(Share.class, "memoryBytes", "How many bytes the grants share; each grant names its part.")
                .columns("machine", "gpu", "owner", "memoryBytes", "grants")
                .lists((client, scope) -> shares(new MachinesApi(client)))
                .puts((client, wanted, present) -> new MachinesApi(client)
                        .putSharing(
                                wanted.name(),
                                new Sharing(
                                        SharingMode.SHARED,
                                        wanted.spec().path("memoryBytes").longValue())))
                .removes((client, present) ->
                        new MachinesApi(client).putSharing(present.name(), new Sharing(SharingMode.EXCLUSIVE, null)));
    }

    private static List<Share> shares(MachinesApi machines) {
        return machines.list().stream()
                .filter(machine -> machine.phase() != Phase.ENDED)
                .flatMap(machine -> share(machines, machine).stream())
                .toList();
    }

    private static Optional<Share> share(MachinesApi machines, MachineView machine) {
        String id = machine.id().toString();
        return Optional.ofNullable(machines.sharing(id).memoryBytes())
                .map(bytes -> new Share(
                        id,
                        machine.gpu(),
                        machine.owner(),
                        bytes,
                        machines.grants(id).size()));
    }
}
