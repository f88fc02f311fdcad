package dev.outpost.provider.k8s.watch;

import dev.outpost.provider.k8s.check.NodeDevices;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.devices.ClaimReport;
import dev.outpost.provider.k8s.devices.DeviceSupply;
import dev.outpost.provider.k8s.reason.facts.Diagnostics;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the diagnostics of a machine that does not run: its events, its place in a queue, the end of its log. */
public final class DiagnosticsReader {
    private static final Logger LOG = LoggerFactory.getLogger(DiagnosticsReader.class);
    private static final int LOG_LINES = 10;

    private final Cluster cluster;
    private final Optional<String> queue;
    private final RareReader<List<Node>> nodes;
    private final RareReader<Optional<DeviceSupply>> devices;

    /**
     * @param queue the queue of Kueue that admits the machine
     * @param nanos a monotonic clock
     */
    public DiagnosticsReader(Cluster cluster, Optional<String> queue, LongSupplier nanos) {
        this.cluster = cluster;
        this.queue = queue;
        this.nodes = new RareReader<>(cluster::nodes, List.of(), nanos);
        this.devices = new RareReader<>(() -> cluster.devices().supply(), Optional.empty(), nanos);
    }

    /** Reads the diagnostics. Leaves out objects that may not be read or do not exist. */
    public Diagnostics read(ObservedMachine observed) {
        Optional<GenericKubernetesResource> workload = workload(observed);
        return new Diagnostics(
                events(observed), workload, position(workload), lacking(observed), claims(observed), logTail(observed));
    }

    private Optional<GenericKubernetesResource> workload(ObservedMachine observed) {
        return queue.isEmpty()
                ? Optional.empty()
                : observed.job()
                        .flatMap(job -> unlessRefused(() -> cluster.kueue().workload(job), Optional.empty()));
    }

    private OptionalInt position(Optional<GenericKubernetesResource> workload) {
        return workload.map(known ->
                        unlessRefused(() -> cluster.kueue().position(queue.get(), known), OptionalInt.empty()))
                .orElse(OptionalInt.empty());
    }

    private Optional<ClaimReport> claims(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(PodFacts::hasClaim)
                .filter(pod -> !pod.isReady() && !pod.hasEnded())
                .flatMap(pod -> unlessRefused(() -> Optional.of(report(pod)), Optional.empty()));
    }

    /** Reads the report on claims. The cluster's devices are read only if the pod has no node, because they explain nothing else. */
    private ClaimReport report(PodFacts pod) {
        Optional<DeviceSupply> supply =
                pod.isScheduled() ? Optional.empty() : unlessRefused(devices::value, Optional.empty());
        return ClaimReport.of(cluster.devices().claims(pod.pod()), supply);
    }

    private List<Event> events(ObservedMachine observed) {
        List<Event> events = new ArrayList<>();
        Stream.<Optional<? extends HasMetadata>>of(observed.job(), observed.pod())
                .flatMap(Optional::stream)
                .forEach(object -> events.addAll(unlessRefused(() -> cluster.events(object), List.of())));
        return events;
    }

    /** Counts the nodes without any GPU, because the scheduler reports them like nodes whose GPUs are taken. */
    private int lacking(ObservedMachine observed) {
        return observed.pod()
                .filter(pod -> new PodFacts(pod)
                        .condition("PodScheduled", "False")
                        .filter(condition ->
                                PodFacts.orEmpty(condition.getMessage()).contains("Insufficient "))
                        .isPresent())
                .map(pod -> unlessRefused(() -> NodeDevices.lacking(pod.getSpec(), nodes.value()), 0))
                .orElse(0);
    }

    private String logTail(ObservedMachine observed) {
        return observed.pod()
                .filter(DiagnosticsReader::hasEnded)
                .map(pod -> unlessRefused(() -> cluster.logs().tail(pod, LOG_LINES), ""))
                .orElse("");
    }

    /** Returns true if a container of the pod has ended, now or before a restart. */
    private static boolean hasEnded(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .flatMap(status -> Stream.of(status.getState(), status.getLastState()))
                .anyMatch(state -> state != null && state.getTerminated() != null);
    }

    private static <T> T unlessRefused(Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (KubernetesClientException failure) {
            LOG.debug("not read, since it only explains", failure);
            return otherwise;
        }
    }
}
