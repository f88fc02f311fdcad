package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The devices that a cluster publishes, and the unavailable ones among them.
 *
 * @param devices the devices of the newest generation of each pool
 * @param unavailable the ids of devices that cannot be allocated, because they are claimed or too little of their GPU is left;
 *     considers visible claims only
 */
public record DeviceSupply(List<DeviceFacts> devices, Set<String> unavailable) {
    private static final int MAX_REASONS = 4;

    /** The reason why no device was allocated. */
    public enum Verdict {
        /** Suitable devices exist, and none of them is free. */
        TAKEN,
        /** Suitable devices exist and some are free, but the claim cannot get any of them. */
        UNUSABLE,
        /** Suitable devices exist, but they have a taint. */
        TAINTED,
        /** No device is suitable. */
        NONE_FITS,
        /** No device of the class exists. */
        NONE_PUBLISHED
    }

    /**
     * The reason why a claim has no device.
     *
     * @param text a clause for people, without a full stop
     */
    public record Shortage(Verdict verdict, String text) {}

    public DeviceSupply {
        devices = List.copyOf(devices);
        unavailable = Set.copyOf(unavailable);
    }

    /**
     * Counts the devices of slices and claims.
     *
     * @param claims the visible claims; the devices of other claims count as free
     */
    public static DeviceSupply of(List<ResourceSlice> slices, List<ResourceClaim> claims) {
        Map<String, Long> generations = new LinkedHashMap<>();
        slices.forEach(slice -> generations.merge(pool(slice), generation(slice), Math::max));
        List<ResourceSlice> newest = slices.stream()
                .filter(slice -> generation(slice) == generations.get(pool(slice)))
                .toList();
        List<DeviceFacts> devices =
                newest.stream().flatMap(DeviceSupply::devices).toList();
        Set<String> allocated = claims.stream().flatMap(DeviceSupply::allocated).collect(Collectors.toSet());
        return new DeviceSupply(devices, unavailable(devices, allocated, new SharedCounters(newest)));
    }

    private static Stream<DeviceFacts> devices(ResourceSlice slice) {
        return Optional.ofNullable(slice.getSpec().getDevices()).orElse(List.of()).stream()
                .map(device -> new DeviceFacts(
                        slice.getSpec().getDriver(), slice.getSpec().getPool().getName(), device));
    }

    private static Set<String> unavailable(List<DeviceFacts> devices, Set<String> allocated, SharedCounters counters) {
        devices.stream().filter(device -> allocated.contains(device.id())).forEach(counters::consume);
        return devices.stream()
                .filter(device -> allocated.contains(device.id()) || !counters.suffice(device))
                .map(DeviceFacts::id)
                .collect(Collectors.toSet());
    }

    private static String pool(ResourceSlice slice) {
        return slice.getSpec().getDriver() + "/" + slice.getSpec().getPool().getName();
    }

    private static long generation(ResourceSlice slice) {
        return Optional.ofNullable(slice.getSpec().getPool().getGeneration()).orElse(0L);
    }

    /**
     * Returns the devices of a claim. A claim with admin access shares another claim's device, so its devices do not
     * count.
     */
    private static Stream<String> allocated(ResourceClaim claim) {
        return Optional.ofNullable(claim.getStatus())
                .map(status -> status.getAllocation())
                .map(allocation -> allocation.getDevices())
                .map(devices -> devices.getResults())
                .orElse(List.of())
                .stream()
                .filter(result -> !Boolean.TRUE.equals(result.getAdminAccess()))
                .map(DeviceSupply::id);
    }

    private static String id(DeviceRequestAllocationResult result) {
        return result.getDriver() + "/" + result.getPool() + "/" + result.getDevice();
    }

    /** Returns the devices of a kind, including tainted and allocated ones. */
    public List<DeviceFacts> of(DeviceKind kind) {
        return devices.stream().filter(device -> fits(kind, device)).toList();
    }

    /**
     * Returns the number of devices of a kind that a claim could get now. Nodes are not considered: devices on nodes
     * that are cordoned or excluded by a node selector also count.
     */
    public int free(DeviceKind kind) {
        return freeDevices(kind).size();
    }

    /**
     * Returns the devices from which a claim would get one now: the free devices of the first kind that has any. The
     * scheduler chooses among them by their nodes, which are not considered here, as in {@link #free}. Empty if none
     * is free.
     *
     * @param kinds the kinds in the claim, best first
     */
    public List<DeviceFacts> choice(List<DeviceKind> kinds) {
        return kinds.stream()
                .map(this::freeDevices)
                .filter(free -> !free.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private List<DeviceFacts> freeDevices(DeviceKind kind) {
        return of(kind).stream().filter(this::isFree).toList();
    }

    private boolean isFree(DeviceFacts device) {
        return device.taint().isEmpty() && !unavailable.contains(device.id());
    }

    /** Returns the taints of the devices of a kind, each once. */
    public List<String> taints(DeviceKind kind) {
        return of(kind).stream()
                .flatMap(device -> device.taint().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean fits(DeviceKind kind, DeviceFacts device) {
        return kind.mayBeOfClass(device) && kind.excludes(device).isEmpty();
    }

    /**
     * Returns the reason why no device of these kinds was allocated.
     *
     * @param kinds the kinds in the claim, best first
     */
    public Shortage shortage(List<DeviceKind> kinds) {
        List<DeviceFacts> fitting = devices.stream()
                .filter(device -> kinds.stream().anyMatch(kind -> fits(kind, device)))
                .toList();
        Map<String, Integer> taints = new TreeMap<>();
        fitting.forEach(device -> device.taint().ifPresent(taint -> taints.merge(taint, 1, Integer::sum)));
        int tainted = taints.values().stream().mapToInt(Integer::intValue).sum();
        if (fitting.isEmpty()) {
            return noneFits(kinds);
        }
        String count = counted(fitting.size()) + " in the cluster " + (fitting.size() == 1 ? "fits" : "fit");
        if (tainted == fitting.size()) {
            return new Shortage(Verdict.TAINTED, count + ", but for a taint: " + listed(taints));
        }
        String others = taints.isEmpty() ? "" : "; tainted: " + listed(taints);
        long free = fitting.stream().filter(this::isFree).count();
        return free == 0
                ? new Shortage(Verdict.TAKEN, count + ", and none is free" + others)
                : new Shortage(
                        Verdict.UNUSABLE,
                        count + ", " + free
                                + " of them not claimed in this namespace: on nodes that the pod cannot use,"
                                + " too few on one node, or claimed elsewhere" + others);
    }

    /**
     * Returns the most frequent reasons why devices are not suitable. Each device is compared with the first kind of
     * its class.
     */
    private Shortage noneFits(List<DeviceKind> kinds) {
        Map<String, Integer> reasons = new TreeMap<>();
        int ofClasses = 0;
        for (DeviceFacts device : devices) {
            Optional<DeviceKind> judge =
                    kinds.stream().filter(kind -> kind.mayBeOfClass(device)).findFirst();
            ofClasses += judge.isPresent() ? 1 : 0;
            judge.flatMap(kind -> kind.excludes(device)).ifPresent(reason -> reasons.merge(reason, 1, Integer::sum));
        }
        if (ofClasses == 0) {
            String classes =
                    kinds.stream().map(DeviceKind::deviceClass).distinct().collect(Collectors.joining(" or "));
            return new Shortage(Verdict.NONE_PUBLISHED, "no node publishes a device of the class " + classes);
        }
        return new Shortage(Verdict.NONE_FITS, "of " + counted(ofClasses) + " none fits: " + listed(reasons));
    }

    private static String listed(Map<String, Integer> reasons) {
        String text = reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MAX_REASONS)
                .map(entry -> entry.getValue() + " with " + entry.getKey())
                .collect(Collectors.joining(", "));
        return reasons.size() <= MAX_REASONS ? text : text + " and others";
    }

    private static String counted(int devices) {
        return devices + (devices == 1 ? " device" : " devices");
    }
}
