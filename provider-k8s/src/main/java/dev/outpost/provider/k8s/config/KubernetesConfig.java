package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.support.Memory;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of machines on Kubernetes: by system property ({@code outpost.k8s.namespace}), by environment variable
 * ({@code OUTPOST_K8S_NAMESPACE}), in {@code application.properties} or {@code
 * META-INF/microprofile-config.properties} on the class path, the first of them winning; and above all of these as an
 * option of one machine ({@code namespace}).
 */
@ConfigMapping(prefix = "outpost.k8s")
public interface KubernetesConfig {
    /** The context of the kubeconfig; its current one where it is not said. In a cluster there is none. */
    Optional<String> context();

    /**
     * The namespace of the machines. Where it is not said: the one that the context names, unless that is
     * {@code default}; else {@code outpost}, which {@code deploy/base} makes.
     */
    Optional<String> namespace();

    /** The image of the runtime; its version must be the client's. */
    @WithDefault("ghcr.io/outpost-dev/runtime:0.1.0")
    String image();

    /** When the image is pulled: {@code always}, {@code if-not-present} or {@code never}. */
    @WithDefault("if-not-present")
    PullPolicy imagePullPolicy();

    /** The Secrets that hold credentials for the image's registry, with commas between them. */
    Optional<List<String>> imagePullSecrets();

    /** The RuntimeClass of the pods, such as {@code nvidia}, where GPUs need one. */
    Optional<String> runtimeClass();

    /** The service account of the pods; the namespace's own where it is not said. Its token never reaches the pod. */
    Optional<String> serviceAccount();

    /**
     * The engine: {@code cuda}, {@code cpu} or {@code reference}. Where it is not said: {@code cuda} when the machine
     * asks for a GPU, {@code cpu} when it asks for none.
     */
    Optional<EngineKind> engine();

    /**
     * The resource by which a GPU is asked for: {@code nvidia.com/gpu}, {@code nvidia.com/gpu.shared},
     * {@code nvidia.com/mig-1g.10gb} and so on. Set to nothing, a machine asks for no GPU and runs on any node.
     */
    @WithDefault("nvidia.com/gpu")
    Optional<String> resourceName();

    /**
     * How a GPU is asked for: {@code resource-claim} is a ResourceClaim of dynamic resource allocation,
     * {@code extended-resource} is {@code resource-name} and labels of nodes. {@code auto} is {@code resource-claim} where
     * the cluster has the DeviceClass, and {@code extended-resource} elsewhere.
     */
    @WithDefault("auto")
    GpuAllocation gpuAllocation();

    /**
     * The DeviceClass named in claims. Default: {@code gpu.nvidia.com}, or {@code mig.nvidia.com} for a MIG slice.
     */
    Optional<String> deviceClass();

    /**
     * Other GPUs that are accepted if none of the requested kind is free, best first, separated by commas. The machine keeps
     * the name of the requested GPU.
     */
    Optional<List<GpuType>> alternatives();

    /**
     * The attribute that all GPUs of one machine have in common where they are claimed as devices, such as
     * {@code resource.kubernetes.io/pcieRoot}. Where it is not said, they are of one node.
     */
    Optional<String> gpuTopology();

    /**
     * The settings that differ from GPU to GPU, by the GPU's name, such as {@code outpost.k8s.gpus.A100.tolerations}.
     */
    Map<String, GpuSettings> gpus();

    /** Labels that a node must have for any machine, as {@code key=value} with commas between them. */
    Optional<Pairs> nodeSelector();

    /**
     * The taints that machines tolerate, with commas between them: {@code key=value:NoSchedule}, {@code key:NoSchedule}
     * whatever the value, {@code key=value} or {@code key} whatever the effect, {@code *} for every taint there is. The
     * effects are {@code NoSchedule}, {@code PreferNoSchedule} and {@code NoExecute}. Set to nothing, none is
     * tolerated.
     */
    @WithDefault("nvidia.com/gpu:NoSchedule")
    Optional<Tolerations> tolerations();

    /** The processors that a machine is assured of, such as {@code 4} or {@code 500m}. */
    @WithDefault("2")
    Cpus cpu();

    /** The processors that a machine may take; as many as the node has where it is not said. */
    Optional<Cpus> cpuLimit();

    /** The memory that a machine is assured of, such as {@code 16Gi}. */
    @WithDefault("8Gi")
    Memory memory();

    /** The memory above which a machine is killed; {@code memory} where it is not said. */
    Optional<Memory> memoryLimit();

    /**
     * What machines may open models from, with commas between them: {@code s3://bucket/prefix}, {@code hf://org},
     * {@code file:/models}, {@code volume:models=/mnt/models} and all below each. Nothing where it is not said.
     */
    Optional<String> sources();

    /** The size of {@code /dev/shm}, which counts as the machine's memory; the node's default where it is not said. */
    Optional<Memory> sharedMemory();

    /**
     * How a client reaches a machine: {@code pod-ip}, {@code service}, {@code port-forward} through the API server, which is
     * slow and does not outlast an outage of it, or {@code auto}: {@code pod-ip} where pods are reached, {@code port-forward}
     * elsewhere.
     */
    @WithDefault("auto")
    AccessMode endpoint();

    /** The Service that {@code endpoint=service} makes: {@code load-balancer} or {@code node-port}. */
    @WithDefault("load-balancer")
    ServiceType serviceType();

    /** How long a machine outlives the last sign of its client; machines of a stated life do not depend on it. */
    @WithDefault("60s")
    Duration lease();

    /** How long a session outlives the last sign of its client; {@code lease} where it is not said, and no longer. */
    Optional<Duration> sessionLease();

    /** How long a start may take in all, waiting for quota and for nodes included. */
    @WithDefault("15m")
    Duration startTimeout();

    /** How long a machine that is ready may take to be reached. */
    @WithDefault("30s")
    Duration connectTimeout();

    /**
     * How long a machine may go without an instruction before it ends; never ends so where it is not said. Machines of
     * a stated life do not depend on it.
     */
    Optional<Duration> idleTimeout();

    /** How long a machine may live at the most, from the start of its Job on. */
    @WithDefault("24h")
    Duration maximumLifetime();

    /** How long a Job that has ended is kept, with its log and all that it owns. */
    @WithDefault("10m")
    Duration ttlAfterFinished();

    /** The LocalQueue of Kueue in which machines wait for quota; without one they start at once. */
    Optional<String> queue();

    /** The PriorityClass of the pods. */
    Optional<String> priorityClass();

    /** Labels that everything of a machine gets, as {@code key=value} with commas between them. */
    Optional<Pairs> labels();

    /** Annotations that everything of a machine gets, as {@code key=value}; a comma within a value is {@code \,}. */
    Optional<Pairs> annotations();

    /**
     * A strategic merge patch of the Job, as YAML or as {@code file:/path/to/it}, for what has no setting. What makes
     * the machine findable and safe to talk to cannot be patched away.
     */
    Optional<MergePatch> patch();

    /** The settings that differ from GPU to GPU. */
    interface GpuSettings {
        /**
         * Labels that a node with this GPU has, as {@code key=value} with commas between them. They take the place of
         * those that are known for the GPU, and must be set for GPUs that {@code outpost.gpus} adds.
         */
        Optional<Pairs> nodeSelector();

        /** The taints that machines with this GPU tolerate, besides those that all do. */
        Optional<Tolerations> tolerations();

        /** The resource by which this GPU is asked for, where it is another one. */
        Optional<String> resourceName();

        /**
         * A CEL expression that a device with this GPU meets, such as
         * {@code device.attributes['gpu.nvidia.com'].productName == 'NVIDIA GH200 480GB'}. It
         * replaces the built-in selectors of the GPU.
         */
        Optional<String> deviceSelector();
    }
}
