package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.Cpus;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.time.Duration;

/** Makes the container of a machine. */
public final class MachineContainer {
    /** The name of the container. */
    public static final String NAME = "machine";

    /** The name of the port on which sessions are served. */
    public static final String SESSION = "session";

    public static final int SESSION_PORT = 50051;

    /** The name of the port on which health and metrics are served, by TLS. */
    public static final String MANAGEMENT = "management";

    public static final int MANAGEMENT_PORT = 50052;

    static final String KEY_FOLDER = "/var/run/outpost/key";
    static final String METRICS_FOLDER = "/var/run/outpost/metrics";
    static final String SCRATCH_FOLDER = "/tmp";
    private static final String SHARED_MEMORY_FOLDER = "/dev/shm";

    /**
     * The time within which a runtime with a GPU starts after it has received its key, even on a node that starts many pods
     * at the same time. It waits for its key as long as for a client.
     */
    private static final Duration START = Duration.ofMinutes(5);

    private MachineContainer() {}

    static Container of(KubernetesMachineSpec request, PodPlacement placement) {
        KubernetesConfig config = request.config();
        ContainerBuilder container = new ContainerBuilder(
                        PodTemplates.MACHINE.getContainers().getFirst())
                .withImage(config.image())
                .withImagePullPolicy(config.imagePullPolicy().text())
                .withEnv(RuntimeEnvironment.of(request))
                .editStartupProbe()
                .withFailureThreshold(Math.toIntExact(config.lease().plus(START).toSeconds()))
                .endStartupProbe()
                .withResources(resources(config, placement));
        if (config.sharedMemory().isPresent()) {
            container
                    .addNewVolumeMount()
                    .withName(MachinePod.SHARED_MEMORY)
                    .withMountPath(SHARED_MEMORY_FOLDER)
                    .endVolumeMount();
        }
        return container.build();
    }

    private static ResourceRequirements resources(KubernetesConfig config, PodPlacement placement) {
        String mostMemory = config.memoryLimit().orElse(config.memory()).text();
        ResourceRequirementsBuilder resources = new ResourceRequirementsBuilder()
                .addToRequests("cpu", new Quantity(config.cpu().text()))
                .addToRequests("memory", new Quantity(config.memory().text()));
        config.cpuLimit().map(Cpus::text).ifPresent(most -> resources.addToLimits("cpu", new Quantity(most)));
        resources.addToLimits("memory", new Quantity(mostMemory));
        placement.resource().ifPresent(gpu -> resources.addToLimits(gpu, new Quantity("1")));
        if (!placement.devices().isEmpty()) {
            resources.withClaims(claim(GpuClaim.request(0, 1)));
        }
        return resources.build();
    }

    /** Makes the reference of a container to a request of the pod's claim, by which it gets the device. */
    static ResourceClaim claim(String request) {
        return new ResourceClaim(GpuClaim.NAME, request);
    }
}
