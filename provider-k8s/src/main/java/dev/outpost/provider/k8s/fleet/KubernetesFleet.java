package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetException;
import dev.outpost.provider.fleet.FleetException.Kind;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.GpuAvailability;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ClusterException;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesNames;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.JobContainer;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import dev.outpost.provider.k8s.desired.SuspendedJob;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.machine.MachineLauncher;
import dev.outpost.provider.k8s.machine.PodLogReader;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.support.FleetPolling;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.smallrye.mutiny.Multi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The machines of one installation in a namespace. They are like the machines of {@link KubernetesProvider}, with names and grants of the
 * control plane. Besides the permissions of a client, the fleet needs to list Services, and to patch pods so that {@link #bind} takes
 * effect immediately.
 */
public final class KubernetesFleet implements MachineFleet {
    /** The settings that must be the same for all machines of an installation, because they locate the machines. */
    private static final List<String> COMMON = List.of("context", "namespace", "endpoint");

    /** The number of lines of a runner's log that are read. */
    private static final int RUNNER_LINES = 20;

    private final String installation;
    private final Map<String, String> options;
    private final ProviderContext context;
    private final FleetCalls calls;
    private final Cluster cluster;
    private final FleetMachines machines;
    private final FleetPolling watches;

    public KubernetesFleet(String installation, Map<String, String> options, ProviderContext outer) {
        if (!KubernetesNames.isLabel(installation)) {
            throw new IllegalArgumentException("installation: expected a DNS label, got \"" + installation + "\"");
        }
        this.installation = installation;
        this.options = Map.copyOf(options);
        this.context = outer.withSettings(added -> outer.settings().apply(with(options, added)));
        KubernetesConfig config = context.config();
        requireReachable(config);
        this.calls = new FleetCalls(context);
        this.cluster = context.clients().open(config);
        this.machines = new FleetMachines(installation, cluster, config, context);
        this.watches = new FleetPolling(wakeSignal -> new FleetPoller(machines, cluster, context, wakeSignal));
    }

    /** Refuses port forwarding, because all data of sessions would go through the one replica that forwards the port. */
    private static void requireReachable(KubernetesConfig config) {
        if (config.endpoint() == AccessMode.PORT_FORWARD) {
            throw new IllegalArgumentException(
                    SettingsReader.PREFIX + "endpoint: the machines of a control plane are reached by"
                            + " their clients, by pod-ip or by a service, got port-forward");
        }
    }

    private static Map<String, String> with(Map<String, String> lower, Map<String, String> upper) {
        Map<String, String> all = new HashMap<>(lower);
        all.putAll(upper);
        return all;
    }

    @Override
    public String installation() {
        return installation;
    }

    // ---- making

    @Override
    public void validate(DesiredMachine machine) {
        if (machine.gpuCount() != 1) {
            throw new IllegalArgumentException(
                    "gpuCount: only one GPU per machine is supported, got " + machine.gpuCount());
        }
        machine.options().keySet().stream().filter(COMMON::contains).findFirst().ifPresent(option -> {
            throw new IllegalArgumentException(
                    SettingsReader.PREFIX + option + ": all machines of an installation have the same; set it there");
        });
        DesiredState.check(machine.gpu(), config(machine));
    }

    private KubernetesConfig config(DesiredMachine machine) {
        Map<String, String> own = new HashMap<>(machine.options());
        machine.bounds().memoryBytes().ifPresent(bytes -> own.put("memory", Long.toString(bytes)));
        return context.settings().apply(own);
    }

    @Override
    public MachineObservation ensure(DesiredMachine machine) {
        validate(machine);
        String name = machine.machine().name();
        return calls.answer(context -> {
            Optional<Job> there = context.ask(() -> cluster.job(name));
            there.ifPresent(this::requireOurs);
            if (there.filter(job -> !SuspendedJob.isHeld(job)).isEmpty()) {
                requireOurs(launch(machine, context));
                watches.wake();
            }
            return machines.observe(machine.machine(), context)
                    .orElseThrow(() -> new ClusterException(name + " was deleted while it was asked for."));
        });
    }

    private Job launch(DesiredMachine machine, StartContext startContext) {
        LifetimePolicy lifetime = new LifetimePolicy.Controlled(
                installation, machine.bounds(), machine.grants(), machine.labels(), machine.job());
        KubernetesMachineSpec request = new KubernetesMachineSpec(
                machine.machine().name(), machine.gpu(), lifetime, context.owner(), config(machine));
        MachineKey key = MachineKey.create(context.clock(), context.random());
        return MachineLauncher.of(cluster, request, startContext, CompletableFuture.completedFuture(key));
    }

    private void requireOurs(Job job) {
        if (!machines.isOurs(job)) {
            throw new FleetException(
                    Kind.REFUSED,
                    "k8s: " + job.getMetadata().getName() + " is the name of a Job of another owner in "
                            + cluster.name());
        }
    }

    // ---- observing

    /**
     * Returns an answer only if GPUs are claimed as devices. For an extended resource, only a start shows if a GPU is
     * free.
     */
    @Override
    public Optional<GpuAvailability> availability(GpuType gpu) {
        return calls.answer(startContext -> new FreeDevices(cluster, startContext).of(gpu, context.config()));
    }

    @Override
    public List<MachineObservation> list() {
        return calls.answer(machines::list);
    }

    @Override
    public FleetWatch watch(Consumer<MachineObservation> listener) {
        return watches.open(listener);
    }

    @Override
    public Multi<String> logs(MachineRef machine, boolean follow) {
        return Multi.createFrom().deferred(() -> {
            calls.answer(context -> present(machine, context));
            return PodLogReader.of(context, machine.name(), follow);
        });
    }

    @Override
    public List<String> runnerLog(MachineRef machine) {
        return calls.answer(context -> context.ask(() -> cluster.pod(machine.name()))
                .filter(machines::isOurs)
                .filter(KubernetesFleet::hasRunner)
                .map(pod -> context.ask(() -> cluster.logs().tail(pod, JobContainer.NAME, RUNNER_LINES)))
                .map(KubernetesFleet::ofRunner)
                .orElse(List.of()));
    }

    private static boolean hasRunner(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .anyMatch(container -> container.getName().equals(JobContainer.NAME));
    }

    private static List<String> ofRunner(String log) {
        return log.lines()
                .filter(line -> line.startsWith(JobRun.LOG_PREFIX))
                .map(line -> line.substring(JobRun.LOG_PREFIX.length()))
                .toList();
    }

    private MachineObservation present(MachineRef machine, StartContext context) {
        return machines.observe(machine, context).orElseThrow(() -> missing(machine));
    }

    private FleetException missing(MachineRef machine) {
        return new FleetException(
                Kind.NOT_FOUND,
                "k8s: " + machine + " is not among the machines of " + installation + " in " + cluster.name()
                        + ", or it has ended");
    }

    // ---- changing

    @Override
    public void bind(MachineRef machine, Grant grant) {
        changeGrants(machine, lines -> Stream.concat(without(lines, grant.tokenSha256()), Stream.of(grant.line())));
    }

    @Override
    public void revoke(MachineRef machine, String tokenSha256) {
        changeGrants(machine, lines -> without(lines, tokenSha256));
    }

    private static Stream<String> without(Stream<String> lines, String tokenSha256) {
        return lines.filter(line -> !line.startsWith(tokenSha256));
    }

    private void changeGrants(MachineRef machine, UnaryOperator<Stream<String>> change) {
        calls.answer(context -> {
            if (!present(machine, context).isLive()) {
                throw missing(machine);
            }
            new GrantsChange(cluster, machine.name(), context).apply(change);
            return null;
        });
    }

    @Override
    public void end(MachineRef machine) {
        calls.answer(context -> {
            if (context.ask(() -> cluster.job(machine.name()))
                    .filter(machines::isOurs)
                    .isPresent()) {
                context.ask(() -> {
                    cluster.delete(machine.name());
                    return null;
                });
                watches.wake();
            }
            return null;
        });
    }

    @Override
    public void close() {
        watches.close();
        cluster.close();
    }
}
