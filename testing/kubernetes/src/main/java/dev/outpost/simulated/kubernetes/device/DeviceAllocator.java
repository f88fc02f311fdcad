package dev.outpost.simulated.kubernetes.device;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds devices of one node for a claim: the first suitable ones, in the order of requests, alternatives and devices. */
final class DeviceAllocator {
    /**
     * One way to satisfy a request.
     *
     * @param name the name of the request, followed by a slash and the name of the alternative if it has several
     */
    private record Option(String name, String deviceClass, List<DeviceSelector> selectors, int count) {
        boolean isOf(String request) {
            return name.equals(request) || name.startsWith(request + "/");
        }
    }

    private record Taken(Option option, PublishedDevice device) {}

    /**
     * Devices for a claim.
     *
     * @param rank the sum of the positions of the chosen alternatives; 0 is best
     */
    record Allocation(List<DeviceRequestAllocationResult> results, int rank) {}

    private final Map<String, DeviceClass> classes;
    private final List<PublishedDevice> free;

    /**
     * @param classes the device classes, by name
     * @param free the devices of the node that no claim holds
     */
    DeviceAllocator(Map<String, DeviceClass> classes, List<PublishedDevice> free) {
        this.classes = classes;
        this.free = free;
    }

    /** A class that a request names. */
    record RequestedClass(String request, String deviceClass) {}

    /** Returns the classes that a claim names. */
    static Stream<RequestedClass> classes(ResourceClaim claim) {
        return claim.getSpec().getDevices().getRequests().stream()
                .flatMap(request -> options(request).stream()
                        .map(option -> new RequestedClass(option.name(), option.deviceClass())));
    }

    Optional<Allocation> allocate(ResourceClaim claim) {
        List<List<Option>> requests = claim.getSpec().getDevices().getRequests().stream()
                .map(DeviceAllocator::options)
                .toList();
        List<DeviceConstraint> constraints = Optional.ofNullable(
                        claim.getSpec().getDevices().getConstraints())
                .orElse(List.of());
        return search(requests, constraints, List.of()).map(taken -> allocation(requests, taken));
    }

    private static List<Option> options(DeviceRequest request) {
        if (request.getExactly() != null) {
            var exactly = request.getExactly();
            return List.of(new Option(
                    request.getName(),
                    exactly.getDeviceClassName(),
                    exactly.getSelectors(),
                    count(exactly.getCount())));
        }
        return request.getFirstAvailable().stream()
                .map(sub -> new Option(
                        request.getName() + "/" + sub.getName(),
                        sub.getDeviceClassName(),
                        sub.getSelectors(),
                        count(sub.getCount())))
                .toList();
    }

    private static int count(Long count) {
        return count == null ? 1 : Math.toIntExact(count);
    }

    private static Allocation allocation(List<List<Option>> requests, List<Taken> taken) {
        int rank = requests.stream()
                .mapToInt(options -> IntStream.range(0, options.size())
                        .filter(place -> taken.stream().anyMatch(one -> one.option() == options.get(place)))
                        .findFirst()
                        .orElse(0))
                .sum();
        return new Allocation(
                taken.stream()
                        .map(one -> new DeviceRequestAllocationResultBuilder()
                                .withRequest(one.option().name())
                                .withDriver(one.device().driver())
                                .withPool(one.device().pool())
                                .withDevice(one.device().device().getName())
                                .build())
                        .toList(),
                rank);
    }

    /** Searches depth first, and backtracks if a later request finds nothing. */
    private Optional<List<Taken>> search(
            List<List<Option>> requests, List<DeviceConstraint> constraints, List<Taken> taken) {
        if (requests.isEmpty()) {
            return Optional.of(taken);
        }
        for (Option option : requests.getFirst()) {
            Optional<List<Taken>> found =
                    take(option, option.count(), requests.subList(1, requests.size()), constraints, taken);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<List<Taken>> take(
            Option option, int left, List<List<Option>> others, List<DeviceConstraint> constraints, List<Taken> taken) {
        if (left == 0) {
            return search(others, constraints, taken);
        }
        for (PublishedDevice device : free) {
            if (taken.stream().noneMatch(one -> one.device() == device) && fits(option, device)) {
                List<Taken> more = new ArrayList<>(taken);
                more.add(new Taken(option, device));
                Optional<List<Taken>> found =
                        meets(constraints, more) ? take(option, left - 1, others, constraints, more) : Optional.empty();
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private boolean fits(Option option, PublishedDevice device) {
        return !device.isTainted("NoSchedule", "NoExecute")
                && holds(classes.get(option.deviceClass()).getSpec().getSelectors(), device)
                && holds(option.selectors(), device);
    }

    private static boolean holds(List<DeviceSelector> selectors, PublishedDevice device) {
        return Optional.ofNullable(selectors).orElse(List.of()).stream()
                .allMatch(selector ->
                        DeviceExpressions.holds(selector.getCel().getExpression(), device.driver(), device.device()));
    }

    private static boolean meets(List<DeviceConstraint> constraints, List<Taken> taken) {
        return constraints.stream().allMatch(constraint -> meets(constraint, taken));
    }

    /** Returns true if all devices have the attribute, with the same value. */
    private static boolean meets(DeviceConstraint constraint, List<Taken> taken) {
        List<Optional<?>> values = taken.stream()
                .filter(one -> isOf(constraint, one.option()))
                .<Optional<?>>map(one -> one.device().attribute(constraint.getMatchAttribute()))
                .distinct()
                .toList();
        return values.size() <= 1 && values.stream().allMatch(Optional::isPresent);
    }

    private static boolean isOf(DeviceConstraint constraint, Option option) {
        return constraint.getRequests() == null
                || constraint.getRequests().isEmpty()
                || constraint.getRequests().stream().anyMatch(option::isOf);
    }
}
