package dev.outpost.provider.k8s.check;

import java.util.List;
import java.util.stream.Stream;

/** The permissions that a client of machines needs, and those that it uses where it has them. */
public final class Permissions {
    private static final String CORE = "";

    /** Making machines, watching them, taking them away. Server-side apply is {@code patch}, and {@code create} too. */
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

    /** Needed besides where machines are reached by forwarded ports: an API server may ask for either verb. */
    public static final List<Permission> FOR_PORT_FORWARDING = of(CORE, "pods/portforward", "get", "create");

    /** Needed besides where machines claim their GPUs as devices; the claims show why one waits. */
    public static final List<Permission> FOR_CLAIMS = Stream.of(
                    of("resource.k8s.io", "resourceclaimtemplates", "create", "patch", "get", "list", "delete"),
                    of("resource.k8s.io", "resourceclaims", "list", "delete"))
            .flatMap(List::stream)
            .toList();

    /** Cluster-wide. It shows a start that devices can be claimed. */
    public static final Permission FOR_DEVICE_CLASSES =
            new Permission("resource.k8s.io", "deviceclasses", "get", false);

    /** Cluster-wide. It shows why no device was allocated. */
    public static final Permission FOR_RESOURCE_SLICES =
            new Permission("resource.k8s.io", "resourceslices", "list", false);

    /** Of use where Kueue queues machines: without them a start says less of what it waits for. */
    public static final List<Permission> FOR_KUEUE = Stream.of(
                    of("kueue.x-k8s.io", "workloads", "list"),
                    of("visibility.kueue.x-k8s.io", "localqueues/pendingworkloads", "get"))
            .flatMap(List::stream)
            .toList();

    /** Of use to these checks only: without it they cannot say which GPUs there are. */
    public static final Permission FOR_NODES = new Permission(CORE, "nodes", "list", false);

    /** Of use to these checks only: without it they cannot say how many GPUs are free. */
    public static final Permission FOR_FREE_GPUS = new Permission(CORE, "pods", "list", false);

    private Permissions() {}

    private static List<Permission> of(String group, String resource, String... verbs) {
        return Stream.of(verbs)
                .map(verb -> new Permission(group, resource, verb, true))
                .toList();
    }
}
