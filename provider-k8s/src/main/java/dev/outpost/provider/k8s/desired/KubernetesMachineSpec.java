package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.EngineKind;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesNames;
import dev.outpost.provider.support.MachineNames;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A machine that somebody wants.
 *
 * @param id what {@link MachineNames} drew, and what its Job, Secret and Service are called
 * @param gpu the kind of GPU
 * @param lifetime what its life depends on
 * @param owner who asks for it, such as {@code ada@laptop}
 * @param config what is set
 * @param allocation how its GPU is asked for, {@code RESOURCE_CLAIM} or {@code EXTENDED_RESOURCE}
 */
public record KubernetesMachineSpec(
        String id,
        GpuType gpu,
        LifetimePolicy lifetime,
        String owner,
        KubernetesConfig config,
        GpuAllocation allocation) {
    private static final Duration KEPT_FOR_CONTROL = Duration.ofDays(1);

    /** A request whose allocation does not depend on the cluster. */
    public KubernetesMachineSpec(
            String id, GpuType gpu, LifetimePolicy lifetime, String owner, KubernetesConfig config) {
        this(id, gpu, lifetime, owner, config, GpuChoice.withoutCluster(config));
    }

    public KubernetesMachineSpec {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(owner, "owner");
        if (allocation == GpuAllocation.AUTO) {
            throw new IllegalArgumentException("allocation: expected RESOURCE_CLAIM or EXTENDED_RESOURCE, got AUTO");
        }
        if (!KubernetesNames.isLabel(id) || !Character.isLetter(id.charAt(0))) {
            throw new IllegalArgumentException(
                    "id: expected a DNS label that begins with a letter, got \"" + id + "\"");
        }
        if (lifetime instanceof LifetimePolicy.Stated stated
                && stated.duration().compareTo(config.maximumLifetime()) > 0) {
            throw new IllegalArgumentException("life: " + stated.duration()
                    + " is longer than outpost.k8s.maximum-lifetime = " + config.maximumLifetime()
                    + "; ask for less or raise that");
        }
    }

    /** How long its Job may run at the most; as long as it is wanted where it is empty. */
    public Optional<Duration> deadline() {
        return switch (lifetime) {
            case LifetimePolicy.Stated stated -> Optional.of(stated.duration());
            case LifetimePolicy.ClientLease leased -> Optional.of(config.maximumLifetime());
            case LifetimePolicy.Controlled controlled -> controlled.bounds().life();
        };
    }

    /** How long its Job is kept once it has ended: a control plane must have seen why, be it away for hours. */
    Duration keptWhenEnded() {
        Duration kept = config.ttlAfterFinished();
        boolean controlled = lifetime instanceof LifetimePolicy.Controlled;
        return controlled && kept.compareTo(KEPT_FOR_CONTROL) < 0 ? KEPT_FOR_CONTROL : kept;
    }

    /** The same machine, whose GPU is asked for in this way. */
    public KubernetesMachineSpec with(GpuAllocation chosen) {
        return new KubernetesMachineSpec(id, gpu, lifetime, owner, config, chosen);
    }

    /** Where its pod may run, and the GPU that it asks for. */
    PodPlacement placement() {
        return PodPlacement.of(gpu, config, allocation);
    }

    /** Whether it claims a device, by a template of claims that its Job owns. */
    public boolean hasClaim() {
        return !placement().devices().isEmpty();
    }

    /** The engine in it. A GPU that is asked for is used: it never idles beside a processor that does its work. */
    EngineKind engine() {
        return config.engine().orElse(placement().hasGpu() ? EngineKind.CUDA : EngineKind.CPU);
    }
}
