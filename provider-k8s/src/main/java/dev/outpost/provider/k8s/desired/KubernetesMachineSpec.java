package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesNames;
import dev.outpost.provider.support.EngineKind;
import dev.outpost.provider.support.MachineNames;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A request for a machine.
 *
 * @param id the name from {@link MachineNames}, which is also the name of its Job, Secret and Service
 * @param gpu the kind of GPU
 * @param lifetime the policy that ends it
 * @param owner the user who requests it, such as {@code ada@laptop}
 * @param config the settings
 * @param allocation the method by which its GPU is requested, {@code RESOURCE_CLAIM} or {@code EXTENDED_RESOURCE}
 */
public record KubernetesMachineSpec(
        String id,
        GpuType gpu,
        LifetimePolicy lifetime,
        String owner,
        KubernetesConfig config,
        GpuAllocation allocation) {
    private static final Duration KEPT_FOR_CONTROL = Duration.ofDays(1);

    /** Makes a request whose allocation does not depend on the cluster. */
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

    /** Returns the maximum run time of its Job; empty if it is unlimited. */
    public Optional<Duration> deadline() {
        return switch (lifetime) {
            case LifetimePolicy.Stated stated -> Optional.of(stated.duration());
            case LifetimePolicy.ClientLease leased -> Optional.of(config.maximumLifetime());
            case LifetimePolicy.Controlled controlled -> controlled.bounds().life();
        };
    }

    /**
     * Returns the time for which its Job is kept after its end. A control plane must see the reason of the end, even
     * if it was down for hours.
     */
    Duration keptWhenEnded() {
        Duration kept = config.ttlAfterFinished();
        boolean controlled = lifetime instanceof LifetimePolicy.Controlled;
        return controlled && kept.compareTo(KEPT_FOR_CONTROL) < 0 ? KEPT_FOR_CONTROL : kept;
    }

    /** Returns the same machine with another allocation of its GPU. */
    public KubernetesMachineSpec with(GpuAllocation chosen) {
        return new KubernetesMachineSpec(id, gpu, lifetime, owner, config, chosen);
    }

    /** Returns the nodes on which its pod may run, and the GPU that it requests. */
    PodPlacement placement() {
        return PodPlacement.of(gpu, config, allocation);
    }

    /** Returns true if it claims a device, by a claim template that its Job owns. */
    public boolean hasClaim() {
        return !placement().devices().isEmpty();
    }

    /**
     * Returns the engine of the machine. A requested GPU is used by default: it never idles while the CPU computes.
     */
    EngineKind engine() {
        return config.engine().orElse(placement().hasGpu() ? EngineKind.CUDA : EngineKind.CPU);
    }
}
