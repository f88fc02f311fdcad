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
 * The address of an API server, and the credentials for it.
 *
 * @param config the configuration, without the credentials of the other two components
 * @param keys the client's certificate and key
 * @param tokens the source of changing tokens, in place of a fixed one
 */
public record ClusterAccess(Config config, Optional<KeyManager[]> keys, Optional<TokenSource> tokens) {

    /** Makes the access of a configuration without further credentials. */
    public static ClusterAccess of(Config config) {
        return new ClusterAccess(config, Optional.empty(), Optional.empty());
    }

    /** Adds the credentials to a client of the API server. */
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
