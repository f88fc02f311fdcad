package dev.outpost.provider.k8s.check;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.GpuChoice;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Checks the cluster that this process is configured with. */
public final class ConfiguredCluster {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int ANSWER_MILLIS = 5_000;

    /** An option that removes alternatives, because each GPU is checked separately. */
    private static final Map<String, String> WITHOUT_ALTERNATIVES = Map.of("alternatives", "");

    private ConfiguredCluster() {}

    /** Returns the findings. Waits at most some seconds for each answer. */
    public static List<ClusterFinding> check() {
        return check(SettingsReader::read, Clients.ofKubeconfig());
    }

    /** @param read reads the settings; the given options override them */
    static List<ClusterFinding> check(Function<Map<String, String>, KubernetesConfig> read, Clients clients) {
        try {
            return check(read, clients, read.apply(Map.of()));
        } catch (IllegalArgumentException failure) {
            return List.of(ClusterFinding.problem("settings", failure.getMessage(), "Correct it where it is set."));
        }
    }

    private static List<ClusterFinding> check(
            Function<Map<String, String>, KubernetesConfig> read, Clients clients, KubernetesConfig settings) {
        KubernetesClient opened;
        try {
            opened = clients.client(settings, ConfiguredCluster::hasten);
        } catch (IllegalArgumentException | KubernetesClientException failure) {
            return unusable(failure);
        }
        try (KubernetesClient client = opened) {
            Config configuration = client.getConfiguration();
            ClusterQuestions questions = questions(read, configuration);
            List<ClusterFinding> findings = new ArrayList<>(new ClusterCheck(client, questions).run());
            if (findings.getFirst().state() != ClusterFinding.State.PROBLEM) {
                boolean isInCluster = configuration.getCurrentContext() == null;
                findings.add(new ReachCheck(client, questions.namespace(), settings).run(isInCluster));
            }
            PatchCheck.run(read.apply(WITHOUT_ALTERNATIVES)).ifPresent(findings::add);
            return List.copyOf(findings);
        } catch (KubernetesClientException failure) {
            return unusable(failure);
        }
    }

    private static List<ClusterFinding> unusable(RuntimeException kubeconfig) {
        return List.of(ClusterFinding.problem("cluster", kubeconfig.getMessage(), "Correct the kubeconfig."));
    }

    /** Shortens the timeouts, because a check reports a failure instead of trying again. */
    private static void hasten(Config configuration) {
        configuration.setConnectionTimeout(CONNECT_MILLIS);
        configuration.setRequestTimeout(ANSWER_MILLIS);
    }

    /** @param read reads the settings; the given options override them */
    static ClusterQuestions questions(Function<Map<String, String>, KubernetesConfig> read, Config configuration) {
        KubernetesConfig settings = read.apply(Map.of());
        KubernetesConfig single = read.apply(WITHOUT_ALTERNATIVES);
        PodSpec pod = pod(GpuType.ANY, single);
        return new ClusterQuestions(
                SettingsReader.namespace(settings, namespace(configuration)),
                isForwarded(settings, configuration),
                settings.queue().isPresent(),
                List.of(pod.getContainers().getFirst().getImage()),
                pod.getImagePullSecrets().stream()
                        .map(LocalObjectReference::getName)
                        .toList(),
                kinds(single),
                devices(settings));
    }

    private static DeviceQuestions devices(KubernetesConfig settings) {
        List<String> classes = GpuChoice.deviceClasses(GpuType.ANY, settings);
        return new DeviceQuestions(
                settings.gpuAllocation(),
                settings.resourceName().orElse(""),
                settings.gpuAllocation() == GpuAllocation.EXTENDED_RESOURCE ? List.of() : classes,
                GpuChoice.kinds(GpuCatalogue.configured().types(), settings));
    }

    /**
     * Returns true if machines are reached by port forwarding: by the setting, or by default outside of a cluster, which is recognised
     * by a context.
     */
    private static boolean isForwarded(KubernetesConfig settings, Config configuration) {
        boolean outside = configuration.getCurrentContext() != null;
        return settings.endpoint() == AccessMode.PORT_FORWARD || settings.endpoint() == AccessMode.AUTO && outside;
    }

    private static List<GpuKind> kinds(KubernetesConfig settings) {
        return Stream.concat(GpuCatalogue.configured().types().stream(), Stream.of(GpuType.ANY))
                .flatMap(gpu -> kind(gpu, settings).stream())
                .toList();
    }

    /**
     * Describes a GPU of the catalogue. Empty if the labels of its nodes are unknown, because such a GPU cannot be requested, and is not
     * counted.
     */
    private static Optional<GpuKind> kind(GpuType gpu, KubernetesConfig settings) {
        try {
            return GpuKind.of(gpu.name(), pod(gpu, settings));
        } catch (IllegalArgumentException ignored) {
            return Optional.empty();
        }
    }

    /** Returns the pod that a start would request, with patches. */
    private static PodSpec pod(GpuType gpu, KubernetesConfig settings) {
        KubernetesMachineSpec request = new KubernetesMachineSpec(
                        "outpost-doctor", gpu, new LifetimePolicy.ClientLease(), "", settings)
                .with(GpuAllocation.EXTENDED_RESOURCE);
        return DesiredState.job(request).getSpec().getTemplate().getSpec();
    }

    private static Optional<String> namespace(Config configuration) {
        return Optional.ofNullable(configuration.getCurrentContext())
                .map(NamedContext::getContext)
                .map(Context::getNamespace);
    }
}
