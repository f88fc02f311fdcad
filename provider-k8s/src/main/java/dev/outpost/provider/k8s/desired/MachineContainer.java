package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.k8s.config.Cpus;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.devices.GpuClaim;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;

/** Makes the one container of a machine's pod. */
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

    private MachineContainer() {}

    static Container of(KubernetesMachineSpec request, PodPlacement placement) {
        KubernetesConfig config = request.config();
        return new ContainerBuilder()
                .withName(NAME)
                .withImage(config.image())
                .withImagePullPolicy(config.imagePullPolicy().text())
                .withEnv(RuntimeEnvironment.of(request))
                .withPorts(port(SESSION, SESSION_PORT), port(MANAGEMENT, MANAGEMENT_PORT))
                .withStartupProbe(Probes.startup(config.lease()))
                .withReadinessProbe(Probes.readiness())
                .withLivenessProbe(Probes.liveness())
                .withResources(resources(config, placement))
                .withSecurityContext(security())
                .withTerminationMessagePath(RuntimeEnvironment.END_FILE)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withVolumeMounts(mounts(config))
                .build();
    }

    private static ContainerPort port(String name, int number) {
        return new ContainerPortBuilder()
                .withName(name)
                .withContainerPort(number)
                .withProtocol("TCP")
                .build();
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

    /** Gives the device of a request of the pod's claim to this container. */
    static ResourceClaim claim(String request) {
        return new ResourceClaim(GpuClaim.NAME, request);
    }

    private static SecurityContext security() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .build();
    }

    private static List<VolumeMount> mounts(KubernetesConfig config) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(new VolumeMountBuilder()
                .withName(MachinePod.KEY)
                .withMountPath(KEY_FOLDER)
                .withReadOnly(true)
                .build());
        mounts.add(new VolumeMountBuilder()
                .withName(MachinePod.METRICS)
                .withMountPath(METRICS_FOLDER)
                .withReadOnly(true)
                .build());
        mounts.add(mount(MachinePod.SCRATCH, SCRATCH_FOLDER));
        if (config.sharedMemory().isPresent()) {
            mounts.add(mount(MachinePod.SHARED_MEMORY, SHARED_MEMORY_FOLDER));
        }
        return mounts;
    }

    private static VolumeMount mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
    }
}
