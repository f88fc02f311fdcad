package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The fields that the API server requires of a pod, as far as patches of users may omit them. */
final class PodValidation {
    private final List<String> found = new ArrayList<>();

    private PodValidation() {}

    /**
     * Returns the errors in a pod's specification, in the API server's words.
     *
     * @param field the path of the specification in its object
     */
    static List<String> violations(String field, JsonNode spec) {
        PodValidation validation = new PodValidation();
        Set<String> volumes = new TreeSet<>();
        for (int index = 0; index < spec.path("volumes").size(); index++) {
            JsonNode volume = spec.path("volumes").path(index);
            volumes.add(volume.path("name").asText());
            validation.check(
                    volume.size() > 1, field + ".volumes[" + index + "]: Required value: must specify a volume type");
        }
        validation.checkContainers(field + ".initContainers", spec.path("initContainers"), volumes);
        validation.checkContainers(field + ".containers", spec.path("containers"), volumes);
        return validation.found;
    }

    private void checkContainers(String field, JsonNode containers, Set<String> volumes) {
        for (int index = 0; index < containers.size(); index++) {
            JsonNode container = containers.path(index);
            String at = field + "[" + index + "]";
            check(container.hasNonNull("name"), at + ".name: Required value");
            check(container.hasNonNull("image"), at + ".image: Required value");
            JsonNode mounts = container.path("volumeMounts");
            for (int mount = 0; mount < mounts.size(); mount++) {
                String name = mounts.path(mount).path("name").asText();
                check(volumes.contains(name), at + ".volumeMounts[" + mount + "].name: Not found: \"" + name + "\"");
            }
        }
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            found.add(violation);
        }
    }
}
