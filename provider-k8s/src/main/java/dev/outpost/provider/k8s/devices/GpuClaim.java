package dev.outpost.provider.k8s.devices;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceConstraintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelectorBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpecBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The claim of a pod: one request for each GPU, so that each container gets its own. */
public final class GpuClaim {
    /** The name of the claim in the pod, and of its request if there is only one. */
    public static final String NAME = "gpu";

    /** Kubernetes' limit on the number of alternatives of a request. */
    public static final int MAX_ALTERNATIVES = 8;

    /** The annotation of a claim with the name that it has in its pod. Kubernetes writes it. */
    private static final String NAME_IN_POD = "resource.kubernetes.io/pod-claim-name";

    private static final String PRODUCT = DeviceCondition.DRIVER + "/productName";

    private GpuClaim() {}

    /**
     * Makes the claim.
     *
     * @param kinds the suitable kinds, best first; 1 to {@value #MAX_ALTERNATIVES}
     * @param gpus the number of the pod's GPUs
     * @param topology the attribute that they must have in common, such as {@code resource.kubernetes.io/pcieRoot}
     */
    public static ResourceClaimSpec of(List<DeviceKind> kinds, int gpus, Optional<String> topology) {
        if (kinds.isEmpty() || kinds.size() > MAX_ALTERNATIVES) {
            throw new IllegalArgumentException(
                    "kinds: expected 1 to " + MAX_ALTERNATIVES + " kinds of device, got " + kinds.size());
        }
        List<String> names =
                IntStream.range(0, gpus).mapToObj(rank -> request(rank, gpus)).toList();
        return new ResourceClaimSpecBuilder()
                .withNewDevices()
                .withRequests(names.stream().map(name -> request(name, kinds)).toList())
                .withConstraints(constraints(names, kinds.size() > 1, topology))
                .endDevices()
                .build();
    }

    /** Returns the name of the request for the GPU of a rank. */
    public static String request(int rank, int gpus) {
        return gpus == 1 ? NAME : NAME + "-" + rank;
    }

    /** True if a pod claims its GPUs as devices. Other claims, which a user's patch may add, do not count. */
    public static boolean isIn(PodSpec pod) {
        return Optional.ofNullable(pod.getResourceClaims()).orElse(List.of()).stream()
                .anyMatch(claim -> NAME.equals(claim.getName()));
    }

    /** True if a claim was made for the GPUs of a machine's pod, and not for another claim of the pod. */
    public static boolean isGpu(ResourceClaim claim) {
        return Optional.ofNullable(claim.getMetadata().getAnnotations())
                .filter(annotations -> NAME.equals(annotations.get(NAME_IN_POD)))
                .isPresent();
    }

    private static DeviceRequest request(String name, List<DeviceKind> kinds) {
        DeviceRequestBuilder request = new DeviceRequestBuilder().withName(name);
        return kinds.size() == 1
                ? request.withNewExactly()
                        .withDeviceClassName(kinds.getFirst().deviceClass())
                        .withSelectors(selectors(kinds.getFirst()))
                        .endExactly()
                        .build()
                : request.withFirstAvailable(subrequests(kinds)).build();
    }

    private static List<DeviceSubRequest> subrequests(List<DeviceKind> kinds) {
        return kinds.stream()
                .map(kind -> new DeviceSubRequestBuilder()
                        .withName(label(kind.name()))
                        .withDeviceClassName(kind.deviceClass())
                        .withSelectors(selectors(kind))
                        .build())
                .toList();
    }

    private static List<DeviceSelector> selectors(DeviceKind kind) {
        return kind.conditions().stream()
                .map(condition -> new DeviceSelectorBuilder()
                        .withNewCel(condition.expression())
                        .build())
                .toList();
    }

    /** Returns the constraints. All GPUs of a pod must be of the same product. */
    private static List<DeviceConstraint> constraints(
            List<String> requests, boolean hasAlternatives, Optional<String> topology) {
        return requests.size() == 1
                ? List.of()
                : Stream.concat(hasAlternatives ? Stream.of(PRODUCT) : Stream.empty(), topology.stream())
                        .map(attribute -> new DeviceConstraintBuilder()
                                .withRequests(requests)
                                .withMatchAttribute(attribute)
                                .build())
                        .toList();
    }

    /** Returns the kinds in a claim, best first. */
    public static List<DeviceKind> kinds(ResourceClaimSpec claim) {
        List<DeviceRequest> requests = Optional.ofNullable(claim.getDevices())
                .map(devices -> devices.getRequests())
                .orElse(List.of());
        List<DeviceKind> kinds = new ArrayList<>();
        requests.stream().limit(1).forEach(request -> {
            if (request.getExactly() != null) {
                kinds.add(kind(
                        request.getName(),
                        request.getExactly().getDeviceClassName(),
                        request.getExactly().getSelectors()));
            }
            Optional.ofNullable(request.getFirstAvailable())
                    .orElse(List.of())
                    .forEach(sub -> kinds.add(kind(sub.getName(), sub.getDeviceClassName(), sub.getSelectors())));
        });
        return List.copyOf(kinds);
    }

    private static DeviceKind kind(String name, String deviceClass, List<DeviceSelector> selectors) {
        return new DeviceKind(
                name,
                deviceClass,
                Optional.ofNullable(selectors).orElse(List.of()).stream()
                        .filter(selector -> selector.getCel() != null)
                        .map(selector -> DeviceCondition.of(selector.getCel().getExpression()))
                        .toList());
    }

    /** Makes the name of a request, which must be a DNS label. */
    private static String label(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    }
}
