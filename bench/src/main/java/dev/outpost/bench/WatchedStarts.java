package dev.outpost.bench;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.simulated.kubernetes.ClusterAwait;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.HashMap;
import java.util.Map;

/**
 * Starts machines in a cluster inside this JVM, whose API server, controllers and kubelet take almost no time. The cluster's
 * objects show when a pod was created and when it was ready.
 */
final class WatchedStarts implements AutoCloseable {
    /**
     * Durations in milliseconds.
     *
     * @param untilPod the time from {@code RemoteMachine.of} until the cluster has created the pod
     * @param fromReadyToResult the time from a ready pod until the program has the first result
     */
    record Times(double untilPod, double fromReadyToResult) {}

    private final TestCluster cluster = TestCluster.start();
    private final KubernetesProvider provider;
    private volatile long created;
    private volatile long ready;

    WatchedStarts() {
        provider = new KubernetesProvider(ProviderContext.of(Clients.of(cluster.config()))
                .withSettings(options -> SettingsReader.of(with(cluster.options(), options))));
        cluster.objects().follow(this::changed);
    }

    private static Map<String, String> with(Map<String, String> less, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(less);
        all.put("endpoint", "pod-ip");
        all.putAll(more);
        return all;
    }

    private void changed(Change change) {
        if (change.isOf(Pod.class)) {
            long now = System.nanoTime();
            if (change.type() == Change.Type.ADDED) {
                created = now;
            } else if (ready == 0 && isReady(ClusterObjects.read(change, Pod.class))) {
                ready = now;
            }
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream().anyMatch(WatchedStarts::saysReady);
    }

    private static boolean saysReady(PodCondition condition) {
        return condition.getType().equals("Ready") && condition.getStatus().equals("True");
    }

    /** Starts a machine, computes on it, closes it, and waits until it is gone. */
    Times start() {
        ready = 0;
        long begin = System.nanoTime();
        long end;
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", new MachineOptions().progress(step -> {}));
                Tensor sum = machine.ones(2, 3).sum()) {
            sum.itemDouble();
            end = System.nanoTime();
        }
        ClusterAwait.until("nothing runs", () -> cluster.runningContainers() == 0);
        return new Times((created - begin) / 1e6, (end - ready) / 1e6);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
