package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.FleetChanges;
import dev.outpost.provider.support.FleetPolling;
import dev.outpost.provider.support.WakeSignal;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps lists of a fleet's Jobs and pods by watches of the API server, and reports the machines that they make up. */
final class FleetPoller implements FleetPolling.Poller {
    private static final Logger LOG = LoggerFactory.getLogger(FleetPoller.class);

    private final FleetMachines machines;
    private final ProviderContext context;
    private final ObjectWatcher<Job> jobs;
    private final ObjectWatcher<Pod> pods;
    private final Optional<ObjectWatcher<Service>> services;
    private final Map<String, Pod> lastPods = new HashMap<>();
    private boolean hasListed;
    private long lastList;

    FleetPoller(FleetMachines machines, Cluster cluster, ProviderContext context, WakeSignal wakeSignal) {
        this.machines = machines;
        this.context = context;
        this.jobs = cluster.feed(Job.class, machines.selector(), wakeSignal::wake);
        this.pods = cluster.feed(Pod.class, machines.selector(), wakeSignal::wake);
        this.services = machines.needsServices()
                ? Optional.of(cluster.feed(Service.class, machines.selector(), wakeSignal::wake))
                : Optional.empty();
    }

    private List<ObjectWatcher<?>> watchers() {
        List<ObjectWatcher<?>> all = new ArrayList<>(List.of(jobs, pods));
        services.ifPresent(all::add);
        return all;
    }

    /**
     * Reports changes. Reports nothing before all lists are complete, because an object that is missing in an
     * incomplete list may exist. Reads the lists again now and then, because a watch may stop reporting. Returns the
     * time until the next poll, unless a change is reported earlier.
     */
    @Override
    public Duration poll(FleetChanges changes) {
        PollingSettings polling = context.polling();
        try {
            listIfDue();
        } catch (KubernetesClientException failure) {
            LOG.debug("machines are listed again", failure);
            return polling.reopen();
        }
        reportTo(changes);
        Duration rest = changes.isBusy() ? polling.events() : polling.whileRunning();
        Duration due = untilDue();
        return due.compareTo(rest) < 0 ? due : rest;
    }

    private void listIfDue() {
        if (untilDue().isZero()) {
            watchers().forEach(ObjectWatcher::refresh);
            hasListed = true;
            lastList = context.nanos().getAsLong();
        }
    }

    private Duration untilDue() {
        if (!hasListed) {
            return Duration.ZERO;
        }
        boolean watched = watchers().stream().allMatch(ObjectWatcher::isWatched);
        Duration interval =
                watched ? context.polling().whileRunning() : context.polling().reopen();
        Duration left = interval.minusNanos(context.nanos().getAsLong() - lastList);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void reportTo(FleetChanges changes) {
        List<Job> present = jobs.present();
        changes.report(machines.of(
                present,
                withLast(present, pods.present()),
                services.map(ObjectWatcher::present).orElse(List.of())));
    }

    /**
     * Adds the last pods of Jobs without a pod. The end of a pod may be reported before the end of its Job. Until then the pod counts as
     * deleted.
     */
    private List<Pod> withLast(List<Job> present, List<Pod> seen) {
        Set<String> wanted = present.stream().map(FleetMachines::name).collect(Collectors.toSet());
        lastPods.keySet().retainAll(wanted);
        Set<String> missing = new HashSet<>(lastPods.keySet());
        seen.forEach(pod -> missing.remove(FleetMachines.name(pod)));
        seen.stream()
                .filter(pod -> wanted.contains(FleetMachines.name(pod)))
                .forEach(pod -> lastPods.put(FleetMachines.name(pod), pod));
        List<Pod> all = new ArrayList<>(seen);
        missing.stream()
                .map(lastPods::get)
                .filter(FleetMachines::hasRun)
                .map(this::deleted)
                .forEach(all::add);
        return all;
    }

    private Pod deleted(Pod gone) {
        if (gone.getMetadata().getDeletionTimestamp() == null) {
            gone = gone.toBuilder()
                    .editMetadata()
                    .withDeletionTimestamp(context.clock().instant().toString())
                    .endMetadata()
                    .build();
            lastPods.put(FleetMachines.name(gone), gone);
        }
        return gone;
    }

    @Override
    public void close() {
        watchers().forEach(ObjectWatcher::close);
    }
}
