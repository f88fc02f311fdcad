package dev.outpost.provider.k8s.credentials;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** A bearer token that changes. Thread-safe. */
public interface TokenSource {
    /**
     * Returns the token for a request.
     *
     * @throws KubernetesClientException if there is none; the message says why
     */
    String token();

    /**
     * Fetches another token after the server refused one (401). May wait for a program.
     *
     * @return the new token, or the refused one if no other is available
     * @throws KubernetesClientException if there is none; the message says why
     */
    String renewed(String refused);
}
