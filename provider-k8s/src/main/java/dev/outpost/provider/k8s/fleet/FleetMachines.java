package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reach.MachineRoute;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.StartContext;
import dev.outpost.provider.k8s.watch.DiagnosticsCache;
import dev.outpost.provider.k8s.watch.DiagnosticsReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machines of an installation, from Jobs, pods and Services that were listed or watched. */
public final class FleetMachines {
    private static final String PENDING = "Pending";

    private final Map<String, String> selector;
    private final String installation;
    private final Cluster cluster;
    private final AccessMode accessMode;
    private final ProviderContext context;
    private final DiagnosticsCache diagnosticsCache;

    public FleetMachines(String installation, Cluster cluster, KubernetesConfig config, ProviderContext context) {
        this.installation = installation;
        this.selector = MachineLabels.ofInstallation(installation);
        this.cluster = cluster;
        // Clients of a control plane use the network of the cluster, unless the settings say otherwise.
        this.accessMode = config.endpoint() == AccessMode.AUTO ? AccessMode.POD_IP : config.endpoint();
        this.context = context;
        this.diagnosticsCache = new DiagnosticsCache(
                new DiagnosticsReader(cluster, config.queue(), context.nanos()),
                context.polling().whileStarting(),
                context.nanos());
    }

    /** Returns the labels that select its objects. */
    public Map<String, String> selector() {
        return selector;
    }

    public boolean isOurs(HasMetadata object) {
        return installation.equals(object.getMetadata().getLabels().get(MachineLabels.INSTALLATION));
    }

    /** Returns true if the addresses of machines are in Services. */
    public boolean needsServices() {
        return accessMode == AccessMode.SERVICE;
    }

    // ---- from requests to the API server

    public List<MachineObservation> list(StartContext context) {
        List<Job> jobs = context.ask(() -> cluster.all(Job.class, selector));
        List<Pod> pods = context.ask(() -> cluster.all(Pod.class, selector));
        List<Service> services = needsServices() ? context.ask(() -> cluster.all(Service.class, selector)) : List.of();
        return of(stillThere(jobs, pods, context), pods, services);
    }

    /** Removes Jobs that were deleted between the two lists, because a Job that had a pod and has none now may have been deleted. */
    private List<Job> stillThere(List<Job> jobs, List<Pod> pods, StartContext context) {
        Set<String> withPod = pods.stream().map(FleetMachines::name).collect(Collectors.toSet());
        return jobs.stream()
                .flatMap(job -> withPod.contains(name(job)) || !hasBegun(job)
                        ? Stream.of(job)
                        : context.ask(() -> cluster.job(name(job))).stream())
                .toList();
    }

    private static boolean hasBegun(Job job) {
        return job.getStatus() != null && job.getStatus().getStartTime() != null;
    }

    public Optional<MachineObservation> observe(MachineRef machine, StartContext context) {
        String name = machine.name();
        List<Job> job = context.ask(() -> cluster.job(name)).filter(this::isOurs).stream()
                .toList();
        List<Pod> pod = context.ask(() -> cluster.pod(name)).filter(this::isOurs).stream()
                .toList();
        List<Service> service = needsServices() && !job.isEmpty()
                ? context.ask(() -> cluster.service(name)).stream().toList()
                : List.of();
        return of(stillThere(job, pod, context), pod, service, false).stream().findFirst();
    }

    // ---- from observed objects

    /** Returns the machines, oldest first. */
    public List<MachineObservation> of(List<Job> jobs, List<Pod> pods, List<Service> services) {
        return of(jobs, pods, services, true);
    }

    private List<MachineObservation> of(List<Job> jobs, List<Pod> pods, List<Service> services, boolean all) {
        Map<String, Service> serviceOf = byName(services, FleetMachines::objectName);
        Map<String, Pod> podOf = byName(pods, FleetMachines::name);
        DiagnosticsCache.Pass pass = diagnosticsCache.pass();
        List<MachineObservation> seen = new ArrayList<>();
        jobs.forEach(job -> see(job, podOf.remove(name(job)), serviceOf, pass).ifPresent(seen::add));
        // The remaining pods have outlived their Jobs.
        podOf.values().forEach(pod -> see(null, pod, serviceOf, pass).ifPresent(seen::add));
        if (all) {
            diagnosticsCache.keep(
                    jobs.stream().map(job -> job.getMetadata().getUid()).collect(Collectors.toSet()));
        }
        return seen.stream()
                .sorted(Comparator.comparing(MachineObservation::created)
                        .thenComparing(observation -> observation.machine().name()))
                .toList();
    }

    private Optional<MachineObservation> see(
            Job job, Pod pod, Map<String, Service> services, DiagnosticsCache.Pass pass) {
        Instant now = context.clock().instant();
        ObservedMachine observed = pass.explain(ObservedMachine.of(job, pod, now));
        String name = job == null ? name(pod) : name(job);
        return MachineRef.parse(name)
                .map(machine ->
                        FleetView.of(machine, observed, () -> way(pod, Optional.ofNullable(services.get(name)))));
    }

    private Optional<MachineRoute> way(Pod pod, Optional<Service> service) {
        return MachineRoutes.address(accessMode, pod, service);
    }

    /**
     * Returns the newest object of each name. A pod that was deleted while it was pending may be followed by another
     * one.
     */
    private static <T extends HasMetadata> Map<String, T> byName(List<T> objects, Function<T, String> name) {
        Map<String, T> byName = new HashMap<>();
        objects.stream()
                .sorted(Comparator.comparing((T object) -> object.getMetadata().getCreationTimestamp()))
                .forEach(object -> byName.put(name.apply(object), object));
        return byName;
    }

    /** Returns the machine that a Job or a pod belongs to. */
    public static String name(HasMetadata object) {
        return object.getMetadata().getLabels().get(MachineLabels.MACHINE);
    }

    private static String objectName(HasMetadata object) {
        return object.getMetadata().getName();
    }

    /**
     * Returns true if the deletion of the pod ends its machine. A pod that never ran may be followed by another one.
     */
    public static boolean hasRun(Pod pod) {
        return !PENDING.equals(pod.getStatus().getPhase());
    }
}
