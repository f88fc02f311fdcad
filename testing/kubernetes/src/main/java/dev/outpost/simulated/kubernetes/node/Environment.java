package dev.outpost.simulated.kubernetes.node;

import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import io.fabric8.kubernetes.api.model.Service;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The variables of a container: those of its specification, with the values that they refer to, and those that the kubelet and the
 * container runtime add. A variable of the specification wins.
 */
final class Environment {
    /** Thrown if the target of a variable's reference is missing; the message is the kubelet's. */
    static final class Unresolved extends Exception {
        private static final long serialVersionUID = 1;

        Unresolved(String message) {
            super(message);
        }
    }

    private final Pod pod;
    private final ClusterObjects objects;
    private final String address;

    private Environment(Pod pod, ClusterObjects objects, String address) {
        this.pod = pod;
        this.objects = objects;
        this.address = address;
    }

    static Map<String, String> of(Pod pod, ClusterObjects objects, String address) throws Unresolved {
        Environment environment = new Environment(pod, objects, address);
        Map<String, String> variables = new LinkedHashMap<>();
        for (EnvVar variable : PodStatuses.container(pod).getEnv()) {
            variables.put(variable.getName(), environment.value(variable));
        }
        environment.added().forEach(variables::putIfAbsent);
        return variables;
    }

    private Map<String, String> added() {
        Map<String, String> added = new LinkedHashMap<>(Map.of("HOSTNAME", hostName()));
        added.putAll(ServiceVariables.ofApiServer());
        if (!Boolean.FALSE.equals(pod.getSpec().getEnableServiceLinks())) {
            added.putAll(ServiceVariables.ofNamespace(objects.list(Service.class), namespace()));
        }
        return added;
    }

    private String hostName() {
        return Optional.ofNullable(pod.getSpec().getHostname())
                .orElse(pod.getMetadata().getName());
    }

    private String value(EnvVar variable) throws Unresolved {
        EnvVarSource source = variable.getValueFrom();
        if (source == null) {
            return variable.getValue() == null ? "" : variable.getValue();
        }
        if (source.getSecretKeyRef() != null) {
            return value(source.getSecretKeyRef());
        }
        if (source.getConfigMapKeyRef() != null) {
            return value(source.getConfigMapKeyRef());
        }
        return field(source.getFieldRef().getFieldPath());
    }

    private String value(SecretKeySelector selector) throws Unresolved {
        String name = selector.getName();
        Secret secret = objects.find(Secret.class, namespace(), name)
                .orElseThrow(() -> new Unresolved("secret \"" + name + "\" not found"));
        String encoded = secret.getData().get(selector.getKey());
        if (encoded == null) {
            throw new Unresolved("couldn't find key " + selector.getKey() + " in Secret " + namespace() + "/" + name);
        }
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }

    private String value(ConfigMapKeySelector selector) throws Unresolved {
        String name = selector.getName();
        ConfigMap map = objects.find(ConfigMap.class, namespace(), name)
                .orElseThrow(() -> new Unresolved("configmap \"" + name + "\" not found"));
        String value = map.getData().get(selector.getKey());
        if (value == null) {
            throw new Unresolved(
                    "couldn't find key " + selector.getKey() + " in ConfigMap " + namespace() + "/" + name);
        }
        return value;
    }

    private String field(String path) {
        return switch (path) {
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> namespace();
            case "metadata.uid" -> pod.getMetadata().getUid();
            case "spec.nodeName" -> pod.getSpec().getNodeName();
            case "status.podIP" -> address;
            default -> throw new IllegalArgumentException("fieldRef: this cluster does not know " + path);
        };
    }

    private String namespace() {
        return pod.getMetadata().getNamespace();
    }
}
