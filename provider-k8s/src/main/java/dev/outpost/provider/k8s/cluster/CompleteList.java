package dev.outpost.provider.k8s.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads lists, and checks that they come from an API server: a real list has the version of the server's state.
 * Otherwise another answer, such as an empty object from a proxy, would look like an empty list, as if no machine
 * existed.
 */
final class CompleteList {
    private CompleteList() {}

    /** Reads the list. An answer that is not a list counts as a server's error (502), so that callers retry. */
    static <T extends HasMetadata, L extends KubernetesResourceList<T>> L of(Listable<L> selection) {
        L list = selection.list();
        boolean isWhole = Optional.ofNullable(list)
                .map(KubernetesResourceList::getMetadata)
                .filter(metadata -> metadata.getResourceVersion() != null
                        && !metadata.getResourceVersion().isEmpty())
                .filter(metadata ->
                        metadata.getContinue() == null || metadata.getContinue().isEmpty())
                .isPresent();
        if (!isWhole) {
            throw unexpected("a list came without a resource version, or in part");
        }
        return list;
    }

    /** Returns the result of a call; empty if the API server refuses it with one of these status codes. */
    static <T> Optional<T> unlessRefused(Set<Integer> codes, Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (KubernetesClientException failure) {
            if (codes.contains(failure.getCode())) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** Makes the error for an answer that cannot come from an API server. */
    static KubernetesClientException unexpected(String what) {
        return new KubernetesClientException(
                what + ": a proxy between this program and the API server may have answered",
                HttpURLConnection.HTTP_BAD_GATEWAY,
                null);
    }
}
