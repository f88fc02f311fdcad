package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The devices that a cluster publishes, and those of them that a claim cannot get.
 *
 * @param devices of the newest generation of each pool
 * @param unavailable the ids of devices that claims have, or of whose GPU claims have too much, as far as claims may be seen
 */
public record DeviceSupply(List<DeviceFacts> devices, Set<String> unavailable) {
    private static final int MOST_REASONS = 4;

    /** What became of the devices that a claim might have had. */
    public enum Verdict {
        /** Devices fit, and none of them is free. */
        TAKEN,
        /** Devices fit but for a taint. */
        TAINTED,
        /** No device fits. */
        NONE_FITS,
        /** There are no devices of the class. */
        NONE_PUBLISHED
    }

    /**
     * Why a claim has no device.
     *
     * @param text a clause for people, without a full stop
     */
    public record Shortage(Verdict verdict, String text) {}

    public DeviceSupply {
        devices = List.copyOf(devices);
        unavailable = Set.copyOf(unavailable);
    }

    /**
     * From objects of a cluster.
     *
     * @param claims those that may be seen; devices of others count as free
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

    private static Stream<String> allocated(ResourceClaim claim) {
        return Optional.ofNullable(claim.getStatus())
                .map(status -> status.getAllocation())
                .map(allocation -> allocation.getDevices())
                .map(devices -> devices.getResults())
                .orElse(List.of())
                .stream()
                .map(DeviceSupply::id);
    }

    private static String id(DeviceRequestAllocationResult result) {
        return result.getDriver() + "/" + result.getPool() + "/" + result.getDevice();
    }

    /** The devices of a kind, tainted and allocated ones among them. */
    public List<DeviceFacts> of(DeviceKind kind) {
        return devices.stream().filter(device -> fits(kind, device)).toList();
    }

    /** How many devices of a kind a claim could get now. */
    public int free(DeviceKind kind) {
        return freeDevices(kind).size();
    }

    /**
     * The devices of which a claim would get one now: those of the first kind that has a free one. Which of them it is, the
     * scheduler decides by the nodes. Empty where none is free.
     *
     * @param kinds that the claim asks for, best first
     */
    public List<DeviceFacts> choice(List<DeviceKind> kinds) {
        return kinds.stream()
                .map(this::freeDevices)
                .filter(free -> !free.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private List<DeviceFacts> freeDevices(DeviceKind kind) {
        return of(kind).stream()
                .filter(device -> device.taint().isEmpty() && !unavailable.contains(device.id()))
                .toList();
    }

    /** The taints of the devices of a kind, each once. */
    public List<String> taints(DeviceKind kind) {
        return of(kind).stream()
                .flatMap(device -> device.taint().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean fits(DeviceKind kind, DeviceFacts device) {
        return kind.mayBeOfClass(device)
                && kind.conditions().stream()
                        .allMatch(condition -> condition.excludes(device).isEmpty());
    }

    /**
     * Why none of the kinds was to be had.
     *
     * @param kinds that the claim asks for, best first
     */
    public Shortage shortage(List<DeviceKind> kinds) {
        Set<DeviceFacts> fitting =
                kinds.stream().flatMap(kind -> of(kind).stream()).collect(Collectors.toCollection(HashSet::new));
        Map<String, Integer> taints = new TreeMap<>();
        fitting.forEach(device -> device.taint().ifPresent(taint -> taints.merge(taint, 1, Integer::sum)));
        int tainted = taints.values().stream().mapToInt(Integer::intValue).sum();
        if (fitting.isEmpty()) {
            return noneFits(kinds);
        }
        String count = counted(fitting.size()) + " in the cluster " + (fitting.size() == 1 ? "fits" : "fit");
        return tainted == fitting.size()
                ? new Shortage(Verdict.TAINTED, count + ", but for a taint: " + listed(taints))
                : new Shortage(
                        Verdict.TAKEN,
                        count + ", and none is free" + (taints.isEmpty() ? "" : "; tainted: " + listed(taints)));
    }

    /** The reasons that exclude most devices, by the first kind: it is the one that was asked for. */
    private Shortage noneFits(List<DeviceKind> kinds) {
        List<DeviceFacts> ofClasses = devices.stream()
                .filter(device -> kinds.stream().anyMatch(kind -> kind.mayBeOfClass(device)))
                .toList();
        if (ofClasses.isEmpty()) {
            String classes =
                    kinds.stream().map(DeviceKind::deviceClass).distinct().collect(Collectors.joining(" or "));
            return new Shortage(Verdict.NONE_PUBLISHED, "no node publishes a device of the class " + classes);
        }
        Map<String, Integer> reasons = new TreeMap<>();
        for (DeviceFacts device : ofClasses) {
            kinds.getFirst().conditions().stream()
                    .flatMap(condition -> condition.excludes(device).stream())
                    .findFirst()
                    .or(() -> Optional.of("another DeviceClass"))
                    .ifPresent(reason -> reasons.merge(reason, 1, Integer::sum));
        }
        return new Shortage(Verdict.NONE_FITS, "of " + counted(ofClasses.size()) + " none fits: " + listed(reasons));
    }

    private static String listed(Map<String, Integer> reasons) {
        String text = reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_REASONS)
                .map(entry -> entry.getValue() + " with " + entry.getKey())
                .collect(Collectors.joining(", "));
        return reasons.size() <= MOST_REASONS ? text : text + " and others";
    }

    private static String counted(int devices) {
        return devices + (devices == 1 ? " device" : " devices");
    }
}
