package dev.outpost.provider.k8s.check;

import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.MachineLabels;
import dev.outpost.provider.k8s.reach.DirectPath;
import dev.outpost.provider.k8s.reach.MachineRoutes;
import dev.outpost.provider.k8s.task.Span;
import dev.outpost.provider.support.SettingChoice;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Reports how sessions reach machines, and how an outage of the API server affects them. */
final class ReachCheck {
    private static final String NAME = "way to machines";

    private final KubernetesClient client;
    private final String namespace;
    private final KubernetesConfig settings;
    private final BiPredicate<String, Integer> answers;

    ReachCheck(KubernetesClient client, String namespace, KubernetesConfig settings) {
        this(client, namespace, settings, DirectPath::answers);
    }

    /** @param answers true if a host answers at a port */
    ReachCheck(
            KubernetesClient client,
            String namespace,
            KubernetesConfig settings,
            BiPredicate<String, Integer> answers) {
        this.client = client;
        this.namespace = namespace;
        this.settings = settings;
        this.answers = answers;
    }

    /** @param isInCluster true if this program runs in the cluster */
    ClusterFinding run(boolean isInCluster) {
        AccessMode mode = MachineRoutes.chosen(settings.endpoint(), isInCluster);
        if (mode != AccessMode.PORT_FORWARD) {
            return ClusterFinding.ok(NAME, SettingChoice.text(mode) + ", without the API server");
        }
        return settings.endpoint() == AccessMode.AUTO ? chosen() : ClusterFinding.ok(NAME, forwarded());
    }

    /** Finds out, with the help of a running machine if one exists, whether this host reaches the network of pods. */
    private ClusterFinding chosen() {
        return switch (ApiQueryResult.to(this::machine)) {
            case ApiQueryResult.Told<Optional<Pod>> told
            when told.value().isPresent() -> tried(told.value().get());
            case ApiQueryResult.Told<Optional<Pod>> none -> untried();
            case ApiQueryResult.Kept<Optional<Pod>> refused -> untried();
        };
    }

    private ClusterFinding untried() {
        return ClusterFinding.ok(
                NAME, "pod-ip where this host reaches pods, which is tried with each machine; else " + forwarded());
    }

    private ClusterFinding tried(Pod pod) {
        String address = pod.getStatus().getPodIP() + ":" + MachineRoutes.sessionPort(pod);
        String machine = pod.getMetadata().getLabels().getOrDefault(MachineLabels.MACHINE, "a machine");
        return answers.test(pod.getStatus().getPodIP(), MachineRoutes.sessionPort(pod))
                ? ClusterFinding.ok(NAME, "pod-ip, without the API server: " + machine + " answers at " + address)
                : ClusterFinding.ok(
                        NAME,
                        forwarded() + "; pods are not reached from here: " + machine + " does not answer at "
                                + address);
    }

    private Optional<Pod> machine() {
        List<Pod> machines = client.pods()
                .inNamespace(namespace)
                .withLabels(MachineLabels.ofAll())
                .list()
                .getItems();
        return machines.stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .filter(pod -> pod.getStatus().getPodIP() != null)
                .findFirst();
    }

    private String forwarded() {
        return SettingChoice.text(AccessMode.PORT_FORWARD) + " through the API server: an outage of it of more than "
                + Span.text(settings.lease()) + " (outpost.k8s.lease) loses the machine";
    }
}
