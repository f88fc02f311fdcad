package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The Pod Security Standard {@code restricted}, as far as a pod with one container can violate it. */
final class RestrictedPods {
    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");

    private RestrictedPods() {}

    /** Returns the violations of a pod's specification, in the admission controller's words; empty if it may run. */
    static List<String> violations(JsonNode spec) {
        List<String> found = new ArrayList<>();
        checkHost(spec, found);
        spec.path("volumes").forEach(volume -> checkVolume(volume, found));
        spec.path("containers").forEach(container -> checkContainer(spec.path("securityContext"), container, found));
        return found;
    }

    private static void checkHost(JsonNode spec, List<String> found) {
        if (spec.path("hostNetwork").asBoolean()) {
            found.add("host namespaces (hostNetwork=true)");
        }
    }

    private static void checkVolume(JsonNode volume, List<String> found) {
        volume.fieldNames().forEachRemaining(type -> {
            if (!type.equals("name") && !VOLUMES.contains(type)) {
                found.add("restricted volume types (volume \""
                        + volume.path("name").asText() + "\" uses restricted volume type \"" + type + "\")");
            }
        });
    }

    private static void checkContainer(JsonNode ofPod, JsonNode container, List<String> found) {
        JsonNode own = container.path("securityContext");
        String name = "container \"" + container.path("name").asText() + "\" ";
        if (own.path("privileged").asBoolean()) {
            found.add("privileged (" + name + "must not set securityContext.privileged=true)");
        }
        if (!own.path("allowPrivilegeEscalation").isBoolean()
                || own.path("allowPrivilegeEscalation").asBoolean()) {
            found.add("allowPrivilegeEscalation != false (" + name
                    + "must set securityContext.allowPrivilegeEscalation=false)");
        }
        if (!dropsAll(own.path("capabilities"))) {
            found.add("unrestricted capabilities (" + name + "must set securityContext.capabilities.drop=[\"ALL\"])");
        }
        checkUser(ofPod, own, name, found);
    }

    private static void checkUser(JsonNode ofPod, JsonNode own, String name, List<String> found) {
        if (!either(ofPod, own, "runAsNonRoot").asBoolean()) {
            found.add("runAsNonRoot != true (pod or " + name + "must set securityContext.runAsNonRoot=true)");
        }
        JsonNode user = either(ofPod, own, "runAsUser");
        if (user.isNumber() && user.asLong() == 0) {
            found.add("runAsUser=0 (pod or " + name + "must not set runAsUser=0)");
        }
        String profile = either(ofPod, own, "seccompProfile").path("type").asText();
        if (!Set.of("RuntimeDefault", "Localhost").contains(profile)) {
            found.add("seccompProfile (pod or " + name
                    + "must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
        }
    }

    private static boolean dropsAll(JsonNode capabilities) {
        return StreamSupport.stream(capabilities.path("drop").spliterator(), false)
                .anyMatch(dropped -> dropped.asText().equals("ALL"));
    }

    private static JsonNode either(JsonNode ofPod, JsonNode own, String field) {
        return own.has(field) ? own.path(field) : ofPod.path(field);
    }
}
