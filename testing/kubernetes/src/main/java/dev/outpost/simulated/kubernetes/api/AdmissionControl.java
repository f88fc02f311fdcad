package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The fields that the server adds to new objects, and its refusals. */
final class AdmissionControl {
    private static final List<String> JOB_FIXED = List.of("template", "selector", "completions", "completionMode");
    private static final String ENFORCE = "pod-security.kubernetes.io/enforce";

    private final ObjectStore store;

    AdmissionControl(ObjectStore store) {
        this.store = store;
    }

    /** Refuses an object that cannot be created in its namespace. */
    void admit(ResourcePath path, ObjectNode object) {
        if (!path.namespace().isEmpty() && namespace(path).isEmpty()) {
            throw ApiStatusException.notFound(new ResourcePath("", "v1", "", "namespaces", path.namespace(), ""));
        }
        if (path.isOf("", "pods")) {
            enforceSecurity(path, object);
            validate("Pod", path, "spec", object.path("spec"));
        }
        if (path.isOf("batch", "jobs")) {
            JsonNode spec = object.path("spec").path("template").path("spec");
            validate("Job", path, "spec.template.spec", spec);
        }
    }

    private static void validate(String kind, ResourcePath path, String field, JsonNode spec) {
        List<String> violations = PodValidation.violations(field, spec);
        if (violations.size() == 1) {
            throw ApiStatusException.invalid(kind, path, violations.getFirst());
        }
        if (!violations.isEmpty()) {
            throw ApiStatusException.invalid(kind, path, "[" + String.join(", ", violations) + "]");
        }
    }

    private void enforceSecurity(ResourcePath path, ObjectNode pod) {
        boolean restricted = namespace(path)
                .filter(found -> found.path("metadata")
                        .path("labels")
                        .path(ENFORCE)
                        .asText()
                        .equals("restricted"))
                .isPresent();
        List<String> violations = restricted ? RestrictedPods.violations(pod.path("spec")) : List.of();
        if (!violations.isEmpty()) {
            throw ApiStatusException.forbidden(
                    path, "violates PodSecurity \"restricted:latest\": " + String.join(", ", violations));
        }
    }

    private Optional<ObjectNode> namespace(ResourcePath path) {
        return store.find(new ResourcePath("", "v1", "", "namespaces", path.namespace(), ""));
    }

    // ---- defaults

    /** Adds the default fields of a new object. */
    static void complete(ResourcePath path, ObjectNode object) {
        switch (path.qualified()) {
            case "jobs.batch" -> completeJob(object);
            case "pods" -> completePod(object);
            case "services" -> completeService(object);
            case "secrets" -> encode(object);
            case "namespaces" -> object.withObjectProperty("status").put("phase", "Active");
            default -> {}
        }
    }

    private static void completeJob(ObjectNode job) {
        ObjectNode spec = job.withObjectProperty("spec");
        putDefault(spec, "parallelism", 1);
        putDefault(spec, "completions", 1);
        putDefault(spec, "backoffLimit", 6);
        if (!spec.has("suspend")) {
            spec.put("suspend", false);
        }
        String uid = JsonObjects.text(job, "metadata.uid");
        spec.withObjectProperty("selector")
                .withObjectProperty("matchLabels")
                .put("batch.kubernetes.io/controller-uid", uid);
        ObjectNode labels =
                JsonObjects.metadata(spec.withObjectProperty("template")).withObjectProperty("labels");
        String name = JsonObjects.text(job, "metadata.name");
        labels.put("batch.kubernetes.io/controller-uid", uid).put("controller-uid", uid);
        labels.put("batch.kubernetes.io/job-name", name).put("job-name", name);
    }

    private static void putDefault(ObjectNode spec, String field, int value) {
        if (!spec.has(field)) {
            spec.put(field, value);
        }
    }

    private static void completePod(ObjectNode pod) {
        ObjectNode spec = pod.withObjectProperty("spec");
        if (!spec.has("restartPolicy")) {
            spec.put("restartPolicy", "Always");
        }
        putDefault(spec, "terminationGracePeriodSeconds", 30);
        pod.withObjectProperty("status").put("phase", "Pending");
    }

    /** Converts texts to their stored form, bytes in base64. */
    private static void encode(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = secret.withObjectProperty("data");
            texts.properties().forEach(entry -> {
                byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
            });
        }
    }

    private static void completeService(ObjectNode service) {
        ObjectNode spec = service.withObjectProperty("spec");
        if (!spec.has("type")) {
            spec.put("type", "ClusterIP");
        }
        service.withObjectProperty("status").putObject("loadBalancer");
    }

    // ---- immutable fields

    /** Refuses a change of fields that are immutable after the creation of an object. */
    static void checkUpdate(ResourcePath path, ObjectNode before, ObjectNode after) {
        if (path.isOf("batch", "jobs")) {
            JOB_FIXED.forEach(field -> checkFixed("Job", path, "spec." + field, before, after));
        }
        if (path.isOf("", "secrets") && before.path("immutable").asBoolean()) {
            checkFixed("Secret", path, "data", before, after);
        }
    }

    private static void checkFixed(String kind, ResourcePath path, String field, ObjectNode before, ObjectNode after) {
        JsonNode now = at(after, field);
        if (!now.equals(at(before, field))) {
            throw ApiStatusException.invalid(kind, path, field + ": Invalid value: " + now + ": field is immutable");
        }
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode node = object;
        for (String field : path.split("\\.")) {
            node = node.path(field);
        }
        return node;
    }
}
