package dev.outpost.provider.k8s.check;

/**
 * A permission that a client of machines needs from the API server.
 *
 * @param group the API group; empty for the core
 * @param resource such as {@code pods}, or {@code pods/log} for a subresource
 * @param namespaced true for a permission in the namespace of the machines; false for the whole cluster
 */
public record Permission(String group, String resource, String verb, boolean namespaced) {

    /** Returns the resource as RBAC's own messages name it, such as {@code jobs.batch}. */
    public String qualifiedResource() {
        return group.isEmpty() ? resource : resource + "." + group;
    }

    /** Returns the resource, and the words "of the whole cluster" if the permission is cluster-wide. */
    String scope() {
        return qualifiedResource() + (namespaced ? "" : " of the whole cluster");
    }
}
