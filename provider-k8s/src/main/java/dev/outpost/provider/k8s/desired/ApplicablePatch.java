package dev.outpost.provider.k8s.desired;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The part of a user's patch that applies to one pod. Pods differ: only the pod of a job has the container {@code job}, and only the pod of
 * a group has the volume {@code group}. A patch element that changes something that this pod lacks is skipped, because merging would add
 * half of a container. A complete element is added, unless it has a name that other pods of Outpost use for such an element.
 *
 * @param tree the patch without the skipped elements
 * @param skipped the skipped elements, such as {@code container job} or {@code mount /dev/shm of container machine}
 */
record ApplicablePatch(Map<String, Object> tree, List<String> skipped) {
    private static final String DIRECTIVE = "$patch";
    private static final String VOLUMES = "volumes";
    private static final String MOUNTS = "volumeMounts";
    private static final String NAME = "name";

    /** The names of containers that some of Outpost's pods have. */
    private static final Pattern OUR_CONTAINERS =
            Pattern.compile(MachineContainer.NAME + "(-\\d+)?|" + JobContainer.NAME);

    /** The names of volumes that some of Outpost's pods have. */
    private static final Set<String> OUR_VOLUMES = Set.of(
            MachinePod.KEY,
            MachinePod.METRICS,
            MachinePod.SCRATCH,
            MachinePod.SHARED_MEMORY,
            JobContainer.VOLUME,
            GroupPod.GRANT_VOLUME);

    static ApplicablePatch of(Map<String, Object> job, Map<String, Object> patch) {
        Map<String, Object> template = map(map(patch.get("spec")).get("template"));
        Map<String, Object> pod = map(template.get("spec"));
        if (pod.isEmpty()) {
            return new ApplicablePatch(patch, List.of());
        }
        Selection selection =
                new Selection(map(map(map(job.get("spec")).get("template")).get("spec")));
        Map<String, Object> selected = selection.of(pod);
        Map<String, Object> spec = with(map(patch.get("spec")), "template", with(template, "spec", selected));
        return new ApplicablePatch(with(patch, "spec", spec), List.copyOf(selection.skipped));
    }

    /** Chooses the elements for one pod. */
    private static final class Selection {
        private final Map<String, Object> pod;
        private final Set<String> volumes = new LinkedHashSet<>();
        private final List<String> skipped = new ArrayList<>();

        Selection(Map<String, Object> pod) {
            this.pod = pod;
            volumes.addAll(names(list(pod.get(VOLUMES))));
        }

        /** Selects the elements of a patch. Volumes come first, because mounts depend on them. */
        Map<String, Object> of(Map<String, Object> patch) {
            Map<String, Object> selected = new LinkedHashMap<>(patch);
            select(selected, VOLUMES, "volume");
            volumes.addAll(names(list(selected.get(VOLUMES))));
            select(selected, "initContainers", "init container");
            select(selected, "containers", "container");
            return selected;
        }

        /** Selects the elements of a list. Does not change a list that replaces the pod's list. */
        private void select(Map<String, Object> patch, String field, String kind) {
            List<?> elements = list(patch.get(field));
            if (elements.isEmpty() || isReplacement(elements)) {
                return;
            }
            List<Object> kept = new ArrayList<>();
            for (Object element : elements) {
                String name = String.valueOf(map(element).get(NAME));
                Optional<Map<String, Object>> present = find(list(pod.get(field)), NAME, name);
                if (present.isPresent() || !isChange(field, map(element))) {
                    kept.add(withMounts(kind + " " + name, element, present));
                } else {
                    skipped.add(kind + " " + name);
                }
            }
            patch.put(field, kept);
        }

        /** Removes mounts whose volume this pod does not have. */
        private Object withMounts(String container, Object patch, Optional<Map<String, Object>> present) {
            if (!(map(patch).get(MOUNTS) instanceof List<?> mounts)) {
                return patch;
            }
            List<?> before = present.map(known -> list(known.get(MOUNTS))).orElse(List.of());
            List<Object> kept = new ArrayList<>();
            for (Object mount : mounts) {
                String path = String.valueOf(map(mount).get("mountPath"));
                if (find(before, "mountPath", path).isPresent() || !isMountOfNothing(map(mount))) {
                    kept.add(mount);
                } else {
                    skipped.add("mount " + path + " of " + container);
                }
            }
            return with(map(patch), MOUNTS, kept);
        }

        private boolean isMountOfNothing(Map<String, Object> mount) {
            return mount.containsKey("mountPath")
                    && !mount.containsKey(DIRECTIVE)
                    && !volumes.contains(String.valueOf(mount.get(NAME)));
        }
    }

    /**
     * Returns true if the element changes an existing one instead of adding one. Malformed elements pass, because the merge refuses
     * them with a better message.
     */
    private static boolean isChange(String field, Map<String, Object> element) {
        if (element.get(NAME) == null || "delete".equals(element.get(DIRECTIVE))) {
            return false;
        }
        return isOurs(field, String.valueOf(element.get(NAME))) || !isComplete(field, element);
    }

    private static boolean isOurs(String field, String name) {
        return switch (field) {
            case VOLUMES -> OUR_VOLUMES.contains(name);
            case "containers" -> OUR_CONTAINERS.matcher(name).matches();
            default -> false;
        };
    }

    private static boolean isComplete(String field, Map<String, Object> element) {
        return field.equals(VOLUMES)
                ? element.entrySet().stream()
                        .anyMatch(
                                entry -> !Set.of(NAME, DIRECTIVE).contains(entry.getKey()) && entry.getValue() != null)
                : element.get("image") != null;
    }

    private static boolean isReplacement(List<?> elements) {
        return elements.stream()
                .anyMatch(element -> "replace".equals(map(element).get(DIRECTIVE)));
    }

    private static Optional<Map<String, Object>> find(List<?> elements, String key, String value) {
        return elements.stream()
                .map(ApplicablePatch::map)
                .filter(element -> value.equals(String.valueOf(element.get(key))))
                .findFirst();
    }

    private static List<String> names(List<?> elements) {
        return elements.stream()
                .map(element -> String.valueOf(map(element).get(NAME)))
                .toList();
    }

    private static Map<String, Object> with(Map<String, Object> tree, String field, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(tree);
        changed.put(field, value);
        return changed;
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static Map<String, Object> map(Object value) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, element) -> tree.put(String.valueOf(key), element));
        }
        return tree;
    }
}
