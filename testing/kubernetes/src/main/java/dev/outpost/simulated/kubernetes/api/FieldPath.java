package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The path of a field.
 *
 * @param steps the steps as {@code managedFields} spells them: {@code f:name} into an object, {@code k:{"name":"x"}} into a list
 */
record FieldPath(List<String> steps) implements Comparable<FieldPath> {
    FieldPath {
        steps = List.copyOf(steps);
    }

    static FieldPath root() {
        return new FieldPath(List.of());
    }

    FieldPath field(String name) {
        return then("f:" + name);
    }

    FieldPath item(ObjectNode key) {
        return then("k:" + key);
    }

    FieldPath then(String step) {
        List<String> longer = new ArrayList<>(steps);
        longer.add(step);
        return new FieldPath(longer);
    }

    /** Returns the value at the path, or a missing node. */
    JsonNode value(JsonNode root) {
        JsonNode node = root;
        for (String step : steps) {
            node = child(node, step);
        }
        return node;
    }

    /** Removes the value at the path, and parents that become empty. */
    void remove(ObjectNode root) {
        remove(root, 0);
    }

    private void remove(JsonNode node, int depth) {
        String step = steps.get(depth);
        JsonNode child = child(node, step);
        if (depth < steps.size() - 1) {
            remove(child, depth + 1);
            if (!child.isContainerNode() || !child.isEmpty()) {
                return;
            }
        }
        if (node instanceof ObjectNode object) {
            object.remove(step.substring(2));
        } else if (node instanceof ArrayNode array) {
            removeItem(array, child);
        }
    }

    private static void removeItem(ArrayNode array, JsonNode item) {
        Iterator<JsonNode> items = array.iterator();
        while (items.hasNext()) {
            if (items.next() == item) {
                items.remove();
            }
        }
    }

    private static JsonNode child(JsonNode node, String step) {
        String rest = step.substring(2);
        return step.startsWith("f:") ? node.path(rest) : item(node, JsonObjects.parse(rest));
    }

    private static JsonNode item(JsonNode list, ObjectNode key) {
        for (JsonNode item : list) {
            List<String> names =
                    key.properties().stream().map(Map.Entry::getKey).toList();
            if (ListKeys.key(names, item).equals(key)) {
                return item;
            }
        }
        return MissingNode.getInstance();
    }

    @Override
    public int compareTo(FieldPath other) {
        return steps.toString().compareTo(other.steps.toString());
    }

    /** Formats the path as messages spell it: {@code .spec.template.spec.containers[name="machine"].image}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String step : steps) {
            if (step.startsWith("f:")) {
                text.append('.').append(step.substring(2));
            } else {
                text.append(bracketed(JsonObjects.parse(step.substring(2))));
            }
        }
        return text.toString();
    }

    private static String bracketed(ObjectNode key) {
        List<String> parts = key.properties().stream()
                .map(part -> part.getKey() + "=" + part.getValue())
                .toList();
        return "[" + String.join(",", parts) + "]";
    }
}
