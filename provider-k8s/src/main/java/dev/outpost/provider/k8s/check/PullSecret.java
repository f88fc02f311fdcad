package dev.outpost.provider.k8s.check;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Secret with credentials for registries. Only the names of the registries are read from its content.
 *
 * @param name the name of the Secret
 * @param registries the registries that it has credentials for
 */
record PullSecret(String name, Set<String> registries) {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    /** Reads a Secret; empty if it holds no credentials for registries. */
    static Optional<PullSecret> of(Secret secret) {
        String name = secret.getMetadata().getName();
        Map<String, String> data = Optional.ofNullable(secret.getData()).orElse(Map.of());
        if ("kubernetes.io/dockerconfigjson".equals(secret.getType())) {
            return json(data.get(".dockerconfigjson"))
                    .filter(config -> config.get("auths") instanceof Map<?, ?>)
                    .map(config -> new PullSecret(name, hosts((Map<?, ?>) config.get("auths"))));
        }
        return "kubernetes.io/dockercfg".equals(secret.getType())
                ? json(data.get(".dockercfg")).map(auths -> new PullSecret(name, hosts(auths)))
                : Optional.empty();
    }

    /** Returns true if it has credentials for a registry. Credentials of Docker Hub are stored under the address of its first version. */
    boolean isFor(String registry) {
        return registries.contains(registry) || registry.equals("docker.io") && registries.contains("index.docker.io");
    }

    private static Set<String> hosts(Map<?, ?> auths) {
        return auths.keySet().stream()
                .map(key -> key.toString().replaceFirst("^https?://", "").replaceFirst("/.*", ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Parses a file of credentials. An unreadable file counts as empty, as for the kubelet. */
    private static Optional<Map<?, ?>> json(String encoded) {
        if (encoded == null) {
            return Optional.empty();
        }
        try {
            String text = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
            return Optional.ofNullable(SERIALIZATION.unmarshal(text, Map.class));
        } catch (IllegalArgumentException | KubernetesClientException ignored) {
            return Optional.empty();
        }
    }
}
