package dev.outpost.provider.k8s.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.Optional;

/**
 * Lists that an API server has made. Each has the version of the server's state from which it was read. An answer without one, such as an
 * empty object of a proxy in between, would otherwise read as a list of nothing, and all machines as gone.
 */
final class CompleteList {
    private CompleteList() {}

    /** Asks for the list; an answer that is none is an error of the server's side (502), so it is asked for again. */
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

    /** The error for an answer that no API server gives. */
    static KubernetesClientException unexpected(String what) {
        return new KubernetesClientException(
                what + ": a proxy between this program and the API server may have answered",
                HttpURLConnection.HTTP_BAD_GATEWAY,
                null);
    }
}
