package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.WakeSignal;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.support.FleetChanges;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watches of a fleet. Each keeps lists of Jobs and pods by watches of the API server, and tells what comes of their changes. */
public final class FleetWatches {
    private static final Logger LOG = LoggerFactory.getLogger(FleetWatches.class);

    private final FleetMachines machines;
    private final Cluster cluster;
    private final ProviderContext surroundings;
    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    public FleetWatches(FleetMachines machines, Cluster cluster, ProviderContext surroundings) {
        this.machines = machines;
        this.cluster = cluster;
        this.surroundings = surroundings;
    }

    public FleetWatch open(Consumer<MachineObservation> listener) {
        Open watch = new Open(listener);
        open.add(watch);
        watch.begin();
        return watch;
    }

    /** Something was changed by this object. */
    public void beat() {
        open.forEach(watch -> watch.news.beat());
    }

    public void close() {
        open.forEach(Open::close);
    }

    /** One watch, with a thread of its own. */
    private final class Open implements FleetWatch {
        private final Consumer<MachineObservation> listener;
        private final FleetChanges changes = new FleetChanges(this::tell);
        private final WakeSignal news = new WakeSignal();
        private final ObjectWatcher<Job> jobs = feed(Job.class);
        private final ObjectWatcher<Pod> pods = feed(Pod.class);
        private final Optional<ObjectWatcher<Service>> services =
                machines.needsServices() ? Optional.of(feed(Service.class)) : Optional.empty();
        private final Thread thread =
                Thread.ofVirtual().name("outpost-fleet-watch").unstarted(this::run);
        private final Map<String, Pod> lastPods = new HashMap<>();
        private volatile boolean closed;
        private boolean hasListed;
        private long lastList;

        private Open(Consumer<MachineObservation> listener) {
            this.listener = listener;
        }

        private <T extends HasMetadata> ObjectWatcher<T> feed(Class<T> type) {
            return cluster.feed(type, machines.selector(), news::beat);
        }

        private void begin() {
            thread.start();
        }

        private List<ObjectWatcher<?>> watchers() {
            List<ObjectWatcher<?>> all = new ArrayList<>(List.of(jobs, pods));
            services.ifPresent(all::add);
            return all;
        }

        private void run() {
            try {
                while (!closed) {
                    news.await(look());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /**
         * Nothing is told before all lists are there: what is missing from one is not gone. Lists are read again now and then, since
         * a watch may fall silent. Answers how long there is nothing to do, unless there is news.
         */
        private Duration look() {
            PollingSettings pace = surroundings.pace();
            try {
                listIfDue();
            } catch (KubernetesClientException outage) {
                LOG.debug("machines are listed again", outage);
                return pace.reopen();
            }
            tellChanges();
            Duration rest = changes.isBusy() ? pace.events() : pace.whileRunning();
            Duration due = untilDue();
            return due.compareTo(rest) < 0 ? due : rest;
        }

        private void listIfDue() {
            if (untilDue().isZero()) {
                watchers().forEach(ObjectWatcher::refresh);
                hasListed = true;
                lastList = surroundings.nanos().getAsLong();
            }
        }

        private Duration untilDue() {
            if (!hasListed) {
                return Duration.ZERO;
            }
            boolean watched = watchers().stream().allMatch(ObjectWatcher::isWatched);
            Duration interval = watched
                    ? surroundings.pace().whileRunning()
                    : surroundings.pace().reopen();
            Duration left = interval.minusNanos(surroundings.nanos().getAsLong() - lastList);
            return left.isNegative() ? Duration.ZERO : left;
        }

        private void tellChanges() {
            List<Job> present = jobs.present();
            changes.tell(machines.of(
                    present,
                    withLast(present, pods.present()),
                    services.map(ObjectWatcher::present).orElse(List.of())));
        }

        /** The end of a pod may be heard of before that of its Job: until then it is a pod that was deleted. */
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
                        .withDeletionTimestamp(surroundings.clock().instant().toString())
                        .endMetadata()
                        .build();
                lastPods.put(FleetMachines.name(gone), gone);
            }
            return gone;
        }

        private void tell(MachineObservation observation) {
            if (!closed) {
                listener.accept(observation);
            }
        }

        @Override
        public void close() {
            closed = true;
            open.remove(this);
            watchers().forEach(ObjectWatcher::close);
            news.beat();
            if (Thread.currentThread() != thread) {
                await();
            }
        }

        private void await() {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
