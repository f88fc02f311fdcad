package dev.outpost.provider.k8s.config;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.support.EngineKind;
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
    /** The context of the kubeconfig; by default its current one. A program in a cluster has none. */
    Optional<String> context();

    /**
     * The namespace of the machines. By default the namespace of the context, unless that is {@code default}; else
     * {@code outpost}, which {@code deploy/base} makes.
     */
    Optional<String> namespace();

    /** The image of the runtime; its version must be the client's. */
    @WithDefault("ghcr.io/outpost-dev/runtime:0.1.0")
    String image();

    /** The policy for pulling the image: {@code always}, {@code if-not-present} or {@code never}. */
    @WithDefault("if-not-present")
    PullPolicy imagePullPolicy();

    /** The Secrets that hold credentials for the image's registry, with commas between them. */
    Optional<List<String>> imagePullSecrets();

    /** The RuntimeClass of the pods, such as {@code nvidia}, if GPUs need one. */
    Optional<String> runtimeClass();

    /** The service account of the pods; by default the namespace's own. Its token never reaches the pod. */
    Optional<String> serviceAccount();

    /**
     * The engine: {@code cuda}, {@code cpu} or {@code reference}. By default {@code cuda} if the machine requests a
     * GPU, else {@code cpu}.
     */
    Optional<EngineKind> engine();

    /**
     * The resource by which a machine requests a GPU: {@code nvidia.com/gpu}, {@code nvidia.com/gpu.shared},
     * {@code nvidia.com/mig-1g.10gb} and so on. If it is empty, a machine requests no GPU and runs on any node.
     */
    @WithDefault("nvidia.com/gpu")
    Optional<String> resourceName();

    /**
     * The method by which a machine requests a GPU: {@code resource-claim} is a ResourceClaim of dynamic resource
     * allocation, {@code extended-resource} is {@code resource-name} with labels of nodes. {@code auto} is
     * {@code resource-claim} if the cluster has the DeviceClass, else {@code extended-resource}.
     */
    @WithDefault("auto")
    GpuAllocation gpuAllocation();

    /** The DeviceClass named in claims. Default: {@code gpu.nvidia.com}, or {@code mig.nvidia.com} for a MIG slice. */
    Optional<String> deviceClass();

    /**
     * Other GPUs that are accepted if none of the requested kind is free, best first, separated by commas. The machine
     * keeps the name of the requested GPU.
     */
    Optional<List<GpuType>> alternatives();

    /**
     * The attribute that all GPUs of one machine must have in common if they are claimed as devices, such as
     * {@code resource.kubernetes.io/pcieRoot}. By default any GPUs of one node are accepted.
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
     * for any value, {@code key=value} or {@code key} for any effect, {@code *} for every taint. The effects are
     * {@code NoSchedule}, {@code PreferNoSchedule} and {@code NoExecute}. If it is empty, machines tolerate no taint.
     */
    @WithDefault("nvidia.com/gpu:NoSchedule")
    Optional<Tolerations> tolerations();

    /** The processors that are guaranteed to a machine, such as {@code 4} or {@code 500m}. */
    @WithDefault("2")
    Cpus cpu();

    /** The most processors that a machine may use; by default as many as the node has. */
    Optional<Cpus> cpuLimit();

    /** The memory that is guaranteed to a machine, such as {@code 16Gi}. */
    @WithDefault("8Gi")
    Memory memory();

    /** The memory above which a machine is killed; by default {@code memory}. */
    Optional<Memory> memoryLimit();

    /**
     * The places from which machines may open models, with commas between them: {@code s3://bucket/prefix},
     * {@code hf://org}, {@code file:/models}, {@code volume:models=/mnt/models}, each with everything below it. None by
     * default.
     */
    Optional<String> sources();

    /** The size of {@code /dev/shm}, which counts as the machine's memory; by default that of the node. */
    Optional<Memory> sharedMemory();

    /**
     * The method by which a client reaches a machine: {@code pod-ip}, {@code service}, {@code port-forward} through the
     * API server, which is slow and does not outlast an outage of it, or {@code auto}: {@code pod-ip} if the client
     * reaches pods, else {@code port-forward}.
     */
    @WithDefault("auto")
    AccessMode endpoint();

    /** The Service that {@code endpoint=service} makes: {@code load-balancer} or {@code node-port}. */
    @WithDefault("load-balancer")
    ServiceType serviceType();

    /**
     * The time for which a machine continues after the last sign of its client. Machines with a stated life do not
     * depend on it.
     */
    @WithDefault("60s")
    Duration lease();

    /**
     * The time for which a session continues after the last sign of its client; by default, and at most, {@code lease}.
     */
    Optional<Duration> sessionLease();

    /** The longest time of a start, including the wait for quota and for nodes. */
    @WithDefault("15m")
    Duration startTimeout();

    /** The longest time from a ready machine until the client reaches it. */
    @WithDefault("30s")
    Duration connectTimeout();

    /**
     * The time without an instruction after which a machine ends; by default it does not end for this reason. Machines
     * with a stated life do not depend on it.
     */
    Optional<Duration> idleTimeout();

    /** The longest life of a machine, from the start of its Job. */
    @WithDefault("24h")
    Duration maximumLifetime();

    /** The time for which an ended Job is kept, with its log and everything that it owns. */
    @WithDefault("10m")
    Duration ttlAfterFinished();

    /** The LocalQueue of Kueue in which machines wait for quota; without one they start at once. */
    Optional<String> queue();

    /** The PriorityClass of the pods. */
    Optional<String> priorityClass();

    /** Labels for all objects of a machine, as {@code key=value} with commas between them. */
    Optional<Pairs> labels();

    /**
     * Annotations for all objects of a machine, as {@code key=value} with commas between them; a comma within a value
     * is {@code \,}.
     */
    Optional<Pairs> annotations();

    /**
     * A strategic merge patch of the Job, as YAML or as {@code file:/path/to/it}, for properties that have no setting.
     * It cannot change the fields by which clients find the machine and connect to it safely.
     */
    Optional<MergePatch> patch();

    /** The settings that differ from GPU to GPU. */
    interface GpuSettings {
        /**
         * Labels that a node with this GPU has, as {@code key=value} with commas between them. They replace the
         * built-in labels of the GPU, and must be set for GPUs that {@code outpost.gpus} adds.
         */
        Optional<Pairs> nodeSelector();

        /** The taints that machines with this GPU tolerate, in addition to the taints that all machines tolerate. */
        Optional<Tolerations> tolerations();

        /** The resource by which machines request this GPU, if it differs from {@code resource-name}. */
        Optional<String> resourceName();

        /**
         * A CEL expression that a device with this GPU meets, such as
         * {@code device.attributes['gpu.nvidia.com'].productName == 'NVIDIA GH200 480GB'}. It replaces the built-in
         * selectors of the GPU.
         */
        Optional<String> deviceSelector();
    }
}
