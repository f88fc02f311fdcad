package dev.outpost.simulated.kubernetes.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The address of an object, of a collection of them, or of a part of one.
 *
 * @param group the API group; empty for the core
 * @param namespace the namespace; empty for resources without one, and for all namespaces
 * @param resource the plural, such as {@code jobs}
 * @param name the name; empty for a collection
 * @param subresource the part, such as {@code status}; empty for the whole object
 */
public record ResourcePath(
        String group, String version, String namespace, String resource, String name, String subresource) {

    /** Parses the path of a URL; empty if it is not a resource, such as {@code /version}. */
    static Optional<ResourcePath> parse(String path) {
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        if (parts.size() > 2 && parts.getFirst().equals("api")) {
            return Optional.of(parse("", parts.get(1), parts.subList(2, parts.size())));
        }
        if (parts.size() > 3 && parts.getFirst().equals("apis")) {
            return Optional.of(parse(parts.get(1), parts.get(2), parts.subList(3, parts.size())));
        }
        return Optional.empty();
    }

    private static ResourcePath parse(String group, String version, List<String> parts) {
        boolean inNamespace = parts.size() > 2
                && parts.getFirst().equals("namespaces")
                && !List.of("status", "finalize").contains(parts.get(2));
        return inNamespace
                ? of(group, version, parts.get(1), parts.subList(2, parts.size()))
                : of(group, version, "", parts);
    }

    private static ResourcePath of(String group, String version, String namespace, List<String> parts) {
        String name = parts.size() > 1 ? parts.get(1) : "";
        String subresource = parts.size() > 2 ? parts.get(2) : "";
        return new ResourcePath(group, version, namespace, parts.getFirst(), name, subresource);
    }

    /** Returns the address of the objects of a class; an empty namespace means all namespaces. */
    public static ResourcePath of(Class<? extends HasMetadata> type, String namespace, String name) {
        return new ResourcePath(
                HasMetadata.getGroup(type),
                HasMetadata.getVersion(type),
                Namespaced.class.isAssignableFrom(type) && namespace != null ? namespace : "",
                HasMetadata.getPlural(type),
                name,
                "");
    }

    /** Returns the address of an object. */
    public static ResourcePath of(HasMetadata object) {
        return of(
                object.getClass(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName());
    }

    public boolean isCollection() {
        return name.isEmpty();
    }

    public ResourcePath collection() {
        return new ResourcePath(group, version, namespace, resource, "", "");
    }

    /** Returns the address of the whole object. */
    public ResourcePath whole() {
        return new ResourcePath(group, version, namespace, resource, name, "");
    }

    public ResourcePath named(String objectName) {
        return new ResourcePath(group, version, namespace, resource, objectName, "");
    }

    /** Returns the same address in another namespace. */
    public ResourcePath in(String other) {
        return new ResourcePath(group, version, other, resource, name, subresource);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Formats the resource with its group, as in {@code jobs.batch}. */
    public String qualified() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    /** Formats the resource as roles spell it: {@code pods/log}. */
    public String withSubresource() {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    /** Returns true if it is one of these, in any namespace. */
    boolean isOf(String otherGroup, String otherResource) {
        return group.equals(otherGroup) && resource.equals(otherResource);
    }

    /** Returns the path of the URL. */
    @Override
    public String toString() {
        StringBuilder path = new StringBuilder(group.isEmpty() ? "/api/" : "/apis/").append(apiVersion());
        if (!namespace.isEmpty()) {
            path.append("/namespaces/").append(namespace);
        }
        path.append('/').append(resource);
        if (!name.isEmpty()) {
            path.append('/').append(name);
        }
        if (!subresource.isEmpty()) {
            path.append('/').append(subresource);
        }
        return path.toString();
    }
}
