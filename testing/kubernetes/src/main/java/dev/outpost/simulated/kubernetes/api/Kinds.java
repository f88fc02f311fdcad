package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The kinds of objects that the server knows, and its answers about them. Unknown kinds are not found. */
public final class Kinds {
    private final List<Kind> known = new CopyOnWriteArrayList<>(List.of(
            new Kind("", "v1", "namespaces", "Namespace", false),
            new Kind("", "v1", "nodes", "Node", false),
            new Kind("", "v1", "pods", "Pod", true),
            new Kind("", "v1", "secrets", "Secret", true),
            new Kind("", "v1", "services", "Service", true),
            new Kind("", "v1", "events", "Event", true),
            new Kind("", "v1", "configmaps", "ConfigMap", true),
            new Kind("", "v1", "serviceaccounts", "ServiceAccount", true),
            new Kind("", "v1", "resourcequotas", "ResourceQuota", true),
            new Kind("batch", "v1", "jobs", "Job", true),
            new Kind("resource.k8s.io", "v1", "deviceclasses", "DeviceClass", false),
            new Kind("resource.k8s.io", "v1", "resourceslices", "ResourceSlice", false),
            new Kind("resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", true),
            new Kind("resource.k8s.io", "v1", "resourceclaimtemplates", "ResourceClaimTemplate", true),
            new Kind("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true),
            new Kind("rbac.authorization.k8s.io", "v1", "roles", "Role", true),
            new Kind("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true),
            new Kind("authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview", false)));

    /** Adds a kind, as a custom resource definition does. */
    public void install(Kind kind) {
        known.add(kind);
    }

    /** Returns the kind of the objects at an address. */
    Kind of(ResourcePath path) {
        return known.stream()
                .filter(kind -> path.isOf(kind.group(), kind.resource())
                        && path.version().equals(kind.version()))
                .findFirst()
                .orElseThrow(ApiStatusException::noSuchResource);
    }

    // ---- discovery

    /** Returns the server's answer for a path that is not a resource. */
    ObjectNode describe(String path) {
        return switch (path) {
            case "/version" ->
                JsonObjects.object().put("major", "1").put("minor", "34").put("gitVersion", "v1.34.0");
            case "/healthz", "/livez", "/readyz" -> JsonObjects.object().put("status", "ok");
            case "/api" -> versions();
            case "/apis" -> groups();
            default -> resources(path).or(() -> group(path)).orElseThrow(ApiStatusException::noSuchResource);
        };
    }

    private static ObjectNode versions() {
        ObjectNode versions = JsonObjects.object().put("kind", "APIVersions");
        versions.putArray("versions").add("v1");
        return versions;
    }

    private ObjectNode groups() {
        ObjectNode list = JsonObjects.object().put("kind", "APIGroupList").put("apiVersion", "v1");
        ArrayNode groups = list.putArray("groups");
        named().map(Kind::apiVersion).distinct().map(Kinds::described).forEach(groups::add);
        return list;
    }

    private Optional<ObjectNode> group(String path) {
        return named().filter(kind -> path.equals("/apis/" + kind.group()))
                .map(kind ->
                        described(kind.apiVersion()).put("kind", "APIGroup").put("apiVersion", "v1"))
                .findFirst();
    }

    private static ObjectNode described(String apiVersion) {
        String[] parts = apiVersion.split("/");
        ObjectNode group = JsonObjects.object().put("name", parts[0]);
        ObjectNode version =
                JsonObjects.object().put("groupVersion", apiVersion).put("version", parts[1]);
        group.putArray("versions").add(version);
        group.set("preferredVersion", version);
        return group;
    }

    private Stream<Kind> named() {
        return known.stream().filter(kind -> !kind.group().isEmpty());
    }

    private Optional<ObjectNode> resources(String path) {
        List<Kind> kinds = known.stream()
                .filter(kind -> path.equals((kind.group().isEmpty() ? "/api/" : "/apis/") + kind.apiVersion()))
                .toList();
        return kinds.isEmpty() ? Optional.empty() : Optional.of(resources(kinds));
    }

    private static ObjectNode resources(List<Kind> kinds) {
        ObjectNode list = JsonObjects.object()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", kinds.getFirst().apiVersion());
        ArrayNode resources = list.putArray("resources");
        kinds.forEach(kind -> resources
                .addObject()
                .put("name", kind.resource())
                .put("kind", kind.kind())
                .put("namespaced", kind.namespaced()));
        return list;
    }
}
