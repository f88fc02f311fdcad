package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.k8s.config.GpuAllocation;
import dev.outpost.provider.k8s.config.GpuKeys;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.KubernetesConfig.GpuSettings;
import dev.outpost.provider.k8s.config.Pairs;
import dev.outpost.provider.k8s.devices.DeviceCondition;
import dev.outpost.provider.k8s.devices.DeviceKind;
import dev.outpost.provider.k8s.devices.GpuClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The suitable GPUs for a machine, and the resource or device of each. */
public final class GpuChoice {
    private static final String PLAIN = "nvidia.com/gpu";

    /**
     * The minimum fraction of the stated memory that devices publish. Error correction and firmware use up to 0.04.
     */
    private static final double PUBLISHED = 0.95;

    private static final long MEBIBYTE = 1L << 20;

    private GpuChoice() {}

    /** Returns the requested GPU and its alternatives, best first. */
    static List<GpuType> types(GpuType gpu, KubernetesConfig config) {
        List<GpuType> types = Stream.concat(Stream.of(gpu), config.alternatives().orElse(List.of()).stream())
                .distinct()
                .toList();
        if (types.size() > GpuClaim.MAX_ALTERNATIVES) {
            throw new IllegalArgumentException("outpost.k8s.alternatives: expected up to "
                    + (GpuClaim.MAX_ALTERNATIVES - 1) + " GPUs, got " + (types.size() - 1));
        }
        return types;
    }

    /** Returns the extended resource that requests a GPU; empty if machines have no GPU. */
    public static Optional<String> resource(GpuType gpu, KubernetesConfig config) {
        return GpuKeys.settings(config, gpu).flatMap(GpuSettings::resourceName).or(config::resourceName);
    }

    /** Returns the extended resource that all these GPUs have in common, because a pod requests only one resource. */
    static Optional<String> commonResource(List<GpuType> types, KubernetesConfig config) {
        List<Optional<String>> resources =
                types.stream().map(gpu -> resource(gpu, config)).distinct().toList();
        if (resources.size() > 1) {
            throw new IllegalArgumentException("outpost.k8s.alternatives: a pod asks for one extended resource, and "
                    + types + " have several: "
                    + resources.stream().flatMap(Optional::stream).toList()
                    + "; leave some out");
        }
        return resources.getFirst();
    }

    /** Returns the labels that the user has configured for nodes with the GPU. */
    static Optional<Pairs> labels(GpuType gpu, KubernetesConfig config) {
        return GpuKeys.settings(config, gpu).flatMap(GpuSettings::nodeSelector);
    }

    /** Refuses labels of one of several claimed GPUs: a claim selects devices, not nodes, so such labels cannot apply. */
    static Optional<Pairs> labelsOfClaimed(List<GpuType> types, KubernetesConfig config) {
        types.stream()
                .filter(gpu -> types.size() > 1 && labels(gpu, config).isPresent())
                .findFirst()
                .ifPresent(gpu -> {
                    throw new IllegalArgumentException("outpost.k8s.gpus." + gpu.name() + ".node-selector: it cannot"
                            + " hold for one of several GPUs that are claimed as devices; set device-selector in its"
                            + " place, or outpost.k8s.gpu-allocation=extended-resource");
                });
        return labels(types.getFirst(), config);
    }

    /**
     * Returns the DeviceClasses of a claim for the machine; empty if it requests no GPU, or one that has no
     * counterpart among devices.
     */
    public static List<String> deviceClasses(GpuType gpu, KubernetesConfig config) {
        List<GpuType> types = types(gpu, config);
        boolean isClaimable = types.stream()
                .allMatch(type ->
                        resource(type, config).filter(GpuChoice::isClaimable).isPresent());
        return isClaimable
                ? types.stream()
                        .map(type -> deviceClass(type, config))
                        .distinct()
                        .toList()
                : List.of();
    }

    /** Returns true if the resource can be claimed as a device. A time-shared GPU is not a separate device. */
    private static boolean isClaimable(String resource) {
        GpuShare share = GpuShare.of(resource);
        return !share.isShared() && (share.profile().isPresent() || resource.equals(PLAIN));
    }

    private static String deviceClass(GpuType gpu, KubernetesConfig config) {
        return config.deviceClass()
                .orElse(share(gpu, config).profile().isPresent() ? DeviceKind.SLICE : DeviceKind.WHOLE);
    }

    private static GpuShare share(GpuType gpu, KubernetesConfig config) {
        return GpuShare.of(resource(gpu, config).orElse(PLAIN));
    }

    /**
     * Returns the kinds of device in a machine's claim, best first.
     *
     * @throws IllegalArgumentException if one has no counterpart among devices; the message names the setting
     */
    public static List<DeviceKind> claimed(GpuType gpu, KubernetesConfig config) {
        return devices(types(gpu, config), config);
    }

    /** Returns the kinds of device of these GPUs, as {@link #claimed} does for one GPU. */
    static List<DeviceKind> devices(List<GpuType> types, KubernetesConfig config) {
        return types.stream().map(gpu -> device(gpu, config)).toList();
    }

    /**
     * Returns the kinds of device of these GPUs and of {@code any}, each determined separately. Omits slices that a
     * GPU does not have.
     */
    public static List<DeviceKind> kinds(List<GpuType> types, KubernetesConfig config) {
        return Stream.concat(types.stream(), Stream.of(GpuType.ANY))
                .filter(gpu ->
                        resource(gpu, config).filter(GpuChoice::isClaimable).isPresent())
                .filter(gpu -> LabelledGpu.of(gpu.name())
                        .filter(labelled ->
                                share(gpu, config).of(labelled.products()).isEmpty())
                        .isEmpty())
                .map(gpu -> device(gpu, config))
                .toList();
    }

    private static DeviceKind device(GpuType gpu, KubernetesConfig config) {
        String resource = resource(gpu, config).orElse(PLAIN);
        if (!isClaimable(resource)) {
            throw new IllegalArgumentException("outpost.k8s.resource-name: " + resource + " has no counterpart among"
                    + " devices, expected " + PLAIN + " or a slice such as nvidia.com/mig-1g.10gb; or set"
                    + " outpost.k8s.gpu-allocation=extended-resource");
        }
        return new DeviceKind(gpu.name(), deviceClass(gpu, config), conditions(gpu, config));
    }

    private static List<DeviceCondition> conditions(GpuType gpu, KubernetesConfig config) {
        List<DeviceCondition> conditions = new ArrayList<>();
        Optional<String> own = GpuKeys.settings(config, gpu).flatMap(GpuSettings::deviceSelector);
        Optional<String> profile = share(gpu, config).profile();
        own.map(DeviceCondition::of).ifPresent(conditions::add);
        if (own.isEmpty() && !gpu.isAny()) {
            GpuLabels.requireSlice(gpu, share(gpu, config));
            conditions.add(new DeviceCondition.Product(products(gpu)));
            // A slice has only a part of the memory.
            if (profile.isEmpty()) {
                conditions.add(new DeviceCondition.Memory((long) (gpu.assuredMemory() * PUBLISHED / MEBIBYTE)));
            }
            conditions.add(new DeviceCondition.Capability(gpu.computeCapability() + ".0"));
        }
        // The device plugin writes 1g.10gb.me for the profile 1g.10gb+me.
        profile.map(name -> new DeviceCondition.Profile(name.replace(".me", "+me")))
                .ifPresent(conditions::add);
        return conditions;
    }

    /**
     * Returns the driver's names of the GPU, with dashes for blanks. A brand may come before the name of a GPU that
     * the user added.
     */
    private static List<String> products(GpuType gpu) {
        return LabelledGpu.of(gpu.name())
                .map(LabelledGpu::products)
                .orElseGet(() -> Stream.concat(Stream.of(gpu.name()), gpu.aliases().stream())
                        .flatMap(name -> Stream.of(name, name.replaceFirst("(?<=[A-Za-z])(?=[0-9])", "-")))
                        .distinct()
                        .flatMap(name ->
                                Stream.of("", "NVIDIA-", "NVIDIA-GeForce-").map(brand -> brand + name))
                        .toList());
    }

    /**
     * Returns the allocation without a request to the cluster: the extended resource, unless the setting forces
     * claims.
     */
    static GpuAllocation withoutCluster(KubernetesConfig config) {
        return config.gpuAllocation() == GpuAllocation.RESOURCE_CLAIM
                ? GpuAllocation.RESOURCE_CLAIM
                : GpuAllocation.EXTENDED_RESOURCE;
    }
}
