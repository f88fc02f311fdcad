package dev.outpost.provider.k8s.fleet;

import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.cluster.ObjectWatcher;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.provider.k8s.task.WakeSignal;
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
    private final ProviderContext context;
    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    public FleetWatches(FleetMachines machines, Cluster cluster, ProviderContext context) {
        this.machines = machines;
        this.cluster = cluster;
        this.context = context;
    }

    public FleetWatch open(Consumer<MachineObservation> listener) {
        Open watch = new Open(listener);
        open.add(watch);
        watch.begin();
        return watch;
    }

    /** Something was changed by this object. */
    public void wake() {
        open.forEach(watch -> watch.wakeSignal.wake());
    }

    public void close() {
        open.forEach(Open::close);
    }

    /** One watch, with a thread of its own. */
    private final class Open implements FleetWatch {
        private final Consumer<MachineObservation> listener;
        private final FleetChanges changes = new FleetChanges(this::report);
        private final WakeSignal wakeSignal = new WakeSignal();
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
            return cluster.feed(type, machines.selector(), wakeSignal::wake);
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
                    wakeSignal.await(poll());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /**
         * Nothing is told before all lists are there: what is missing from one is not gone. Lists are read again now and then, since
         * a watch may fall silent. Answers how long there is nothing to do, unless there is news.
         */
        private Duration poll() {
            PollingSettings polling = context.polling();
            try {
                listIfDue();
            } catch (KubernetesClientException failure) {
                LOG.debug("machines are listed again", failure);
                return polling.reopen();
            }
            reportChanges();
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
            Duration interval = watched
                    ? context.polling().whileRunning()
                    : context.polling().reopen();
            Duration left = interval.minusNanos(context.nanos().getAsLong() - lastList);
            return left.isNegative() ? Duration.ZERO : left;
        }

        private void reportChanges() {
            List<Job> present = jobs.present();
            changes.report(machines.of(
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
                        .withDeletionTimestamp(context.clock().instant().toString())
                        .endMetadata()
                        .build();
                lastPods.put(FleetMachines.name(gone), gone);
            }
            return gone;
        }

        private void report(MachineObservation observation) {
            if (!closed) {
                listener.accept(observation);
            }
        }

        @Override
        public void close() {
            closed = true;
            open.remove(this);
            watchers().forEach(ObjectWatcher::close);
            wakeSignal.wake();
            if (Thread.currentThread() != thread) {
                await();
            }
        }

        private void await() {
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException failure) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
