package dev.outpost.provider.k8s.check;

/**
 * Something that a client of machines asks of the API server.
 *
 * @param group the API group; empty for the core
 * @param resource such as {@code pods}, or {@code pods/log} for a subresource
 * @param namespaced whether it is asked within the namespace of the machines, or of the whole cluster
 */
public record Permission(String group, String resource, String verb, boolean namespaced) {

    /** {@code jobs.batch}, as RBAC's own messages name it. */
    public String qualifiedResource() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    /** The resource, and that it is that of every namespace where it is. */
    String scope() {
        return qualifiedResource() + (namespaced ? "" : " of the whole cluster");
    }
}
