package dev.outpost.provider.k8s.credentials;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;

/**
 * Where an API server is, and what opens it.
 *
 * @param config without what the other two hold
 * @param keys the client's certificate and key
 * @param tokens in place of a token that does not change
 */
public record ClusterAccess(Config config, Optional<KeyManager[]> keys, Optional<TokenSource> tokens) {

    /** The access that the configuration has by itself. */
    public static ClusterAccess of(Config config) {
        return new ClusterAccess(config, Optional.empty(), Optional.empty());
    }

    /** Gives a client of the API server the credentials. */
    public void apply(HttpClient.Builder builder) {
        tokens.ifPresent(
                source -> builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, new TokenInterceptor(source)));
        keys.ifPresent(managers -> {
            try {
                builder.sslContext(managers, SSLUtils.trustManagers(config));
            } catch (GeneralSecurityException | IOException failure) {
                throw new IllegalArgumentException(
                        "kubeconfig: the cluster's certificate authority cannot be used: " + failure.getMessage(),
                        failure);
            }
        });
    }
}
