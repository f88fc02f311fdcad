package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import dev.outpost.simulated.kubernetes.api.ContainerLog;
import dev.outpost.simulated.kubernetes.api.ContainerLogs;
import dev.outpost.simulated.kubernetes.control.PacedClock;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Runs the pods of all nodes, on loopback. It is as slow as a real one: mounts have the content at the start of a container, and are
 * updated 60 to 90 s later.
 */
public final class TestKubelet implements ContainerLogs, AutoCloseable {
    private final ClusterObjects objects;
    private final ClusterTime time;
    private final PacedClock clock;
    private final Addresses addresses;
    private final PodFaults faults = new PodFaults(this);
    private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();
    private final Queue<PodWorker> all = new ConcurrentLinkedQueue<>();
    private volatile PodRunner runner;

    public TestKubelet(
            ClusterObjects objects, ClusterTime time, PacedClock clock, Addresses addresses, PodRunner runner) {
        this.objects = objects;
        this.time = time;
        this.clock = clock;
        this.addresses = addresses;
        this.runner = runner;
        objects.follow(this::changed);
    }

    public PodFaults faults() {
        return faults;
    }

    /** Runs later pods with this runner. */
    public void runWith(PodRunner other) {
        runner = other;
    }

    /** Advances the kubelet's time at once: it retries failed steps, and syncs running pods. */
    public void advance(Duration by) {
        clock.advance(by);
        workers.values().forEach(worker -> worker.signal(new PodSignal.TimeMoved()));
    }

    /** Returns the number of running containers. */
    public int running() {
        return (int) all.stream().filter(PodWorker::isRunning).count();
    }

    @Override
    public Optional<ContainerLog> find(String namespace, String pod) {
        return workers.values().stream()
                .filter(worker -> metadata(worker).getNamespace().equals(namespace))
                .filter(worker -> metadata(worker).getName().equals(pod))
                .findFirst()
                .flatMap(PodWorker::log);
    }

    /** Returns the number of running pods that the failure meets. */
    int fail(String name, PodFailure.Running failure) {
        List<PodWorker> chosen = workers.values().stream()
                .filter(PodWorker::isRunning)
                .filter(worker -> isOf(worker, name))
                .toList();
        chosen.forEach(worker -> worker.signal(new PodSignal.Fail(failure)));
        return chosen.size();
    }

    private static boolean isOf(PodWorker worker, String name) {
        Stream<String> owners = metadata(worker).getOwnerReferences().stream().map(owner -> owner.getName());
        return Stream.concat(Stream.of(metadata(worker).getName()), owners).anyMatch(name::equals);
    }

    private static ObjectMeta metadata(PodWorker worker) {
        return worker.pod().pod().getMetadata();
    }

    // ---- changes from the API

    private void changed(Change change) {
        if (change.isOf(Pod.class)) {
            changed(change.type(), ClusterObjects.read(change, Pod.class));
        }
    }

    private void changed(Change.Type type, Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (type == Change.Type.DELETED) {
            Optional.ofNullable(workers.remove(uid)).ifPresent(PodWorker::gone);
        } else if (pod.getSpec().getNodeName() != null && !workers.containsKey(uid)) {
            PodWorker worker = worker(pod);
            workers.put(uid, worker);
            all.add(worker);
            worker.start();
        }
        if (type == Change.Type.MODIFIED && pod.getMetadata().getDeletionTimestamp() != null) {
            delete(pod);
        }
    }

    private PodWorker worker(Pod pod) {
        return new PodWorker(
                new LocalPod(pod, objects, time), runner, faults, clock, addresses.next(), addresses.ofServer());
    }

    private void delete(Pod pod) {
        Duration grace = Duration.ofSeconds(pod.getMetadata().getDeletionGracePeriodSeconds());
        Optional.ofNullable(workers.get(pod.getMetadata().getUid()))
                .ifPresent(worker -> worker.signal(new PodSignal.Delete(grace)));
    }

    /** Kills all containers. */
    @Override
    public void close() {
        try {
            for (PodWorker worker : all) {
                worker.close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
