package dev.outpost.provider.k8s.check;

import java.util.List;
import java.util.stream.Stream;

/** The permissions that a client of machines needs, and the optional ones. */
public final class Permissions {
    private static final String CORE = "";

    /** The permissions to make, watch and delete machines. Server-side apply needs {@code patch} and {@code create}. */
    public static final List<Permission> NEEDED = Stream.of(
                    of("batch", "jobs", "create", "patch", "get", "list", "watch", "delete"),
                    of(CORE, "secrets", "create", "patch", "get", "list", "delete"),
                    of(CORE, "services", "create", "patch", "get", "list", "delete"),
                    of("networking.k8s.io", "networkpolicies", "create", "patch", "get"),
                    of(CORE, "pods", "get", "list", "watch"),
                    of(CORE, "pods/log", "get"),
                    of(CORE, "events", "list"))
            .flatMap(List::stream)
            .toList();

    /** The further permissions for port forwarding. An API server may require either verb. */
    public static final List<Permission> FOR_PORT_FORWARDING = of(CORE, "pods/portforward", "get", "create");

    /** The further permissions for machines that claim their GPUs as devices. The claims show why a machine waits. */
    public static final List<Permission> FOR_CLAIMS = Stream.of(
                    of("resource.k8s.io", "resourceclaimtemplates", "create", "patch", "get", "list", "delete"),
                    of("resource.k8s.io", "resourceclaims", "list", "delete"))
            .flatMap(List::stream)
            .toList();

    /** The cluster-wide permission to see if devices can be claimed. */
    public static final Permission FOR_DEVICE_CLASSES =
            new Permission("resource.k8s.io", "deviceclasses", "get", false);

    /** The cluster-wide permission to see why no device was allocated. */
    public static final Permission FOR_RESOURCE_SLICES =
            new Permission("resource.k8s.io", "resourceslices", "list", false);

    /** The optional permissions for Kueue. Without them, a start cannot report in detail why it waits. */
    public static final List<Permission> FOR_KUEUE = Stream.of(
                    of("kueue.x-k8s.io", "workloads", "list"),
                    of("visibility.kueue.x-k8s.io", "localqueues/pendingworkloads", "get"))
            .flatMap(List::stream)
            .toList();

    /** The optional permission for these checks only. Without it they cannot list the GPUs. */
    public static final Permission FOR_NODES = new Permission(CORE, "nodes", "list", false);

    /** The optional permission for these checks only. Without it they cannot count the free GPUs. */
    public static final Permission FOR_FREE_GPUS = new Permission(CORE, "pods", "list", false);

    private Permissions() {}

    private static List<Permission> of(String group, String resource, String... verbs) {
        return Stream.of(verbs)
                .map(verb -> new Permission(group, resource, verb, true))
                .toList();
    }
}
