package dev.outpost.simulated.kubernetes.api;

/**
 * A kind of objects that the server knows.
 *
 * @param group empty for the core
 * @param resource the plural
 */
public record Kind(String group, String version, String resource, String kind, boolean namespaced) {
    String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
