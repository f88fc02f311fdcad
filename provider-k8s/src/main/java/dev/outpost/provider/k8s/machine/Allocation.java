package dev.outpost.provider.k8s.machine;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.desired.GpuChoice;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.devices.AllocationChoice;
import dev.outpost.provider.k8s.task.StartContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses how a machine requests its GPU, by its setting and by the resources of its cluster. */
public final class Allocation {
    private static final Logger LOG = LoggerFactory.getLogger(Allocation.class);

    private Allocation() {}

    /** Returns the request with the allocation chosen for this cluster. */
    public static KubernetesMachineSpec of(KubernetesMachineSpec request, Cluster cluster, StartContext context) {
        AllocationChoice choice = choose(request.gpu(), request.config(), cluster, context);
        LOG.debug("{} gets its GPU by {}, since {}", request.id(), choice.allocation(), choice.why());
        return request.with(choice.allocation());
    }

    /** Chooses the allocation for a machine with these settings. */
    public static AllocationChoice choose(GpuType gpu, KubernetesConfig config, Cluster cluster, StartContext context) {
        return AllocationChoice.of(
                config.gpuAllocation(),
                GpuChoice.resource(gpu, config),
                GpuChoice.deviceClasses(gpu, config),
                name -> context.ask(() -> cluster.devices().deviceClass(name)));
    }
}
