package dev.outpost.simulated.kubernetes.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The objects of a collection that a list or a watch selects, by labels and by fields. */
final class Selector {
    private static final Pattern SET = Pattern.compile("(\\S+)\\s+(in|notin)\\s+\\(([^)]*)\\)");
    private static final Pattern EQUALITY = Pattern.compile("([^=!\\s]+)\\s*(==|=|!=)\\s*(\\S*)");

    /** The commas that separate requirements, without those in parentheses. */
    private static final Pattern COMMA = Pattern.compile(",(?![^(]*\\))");

    private Selector() {}

    static Predicate<ObjectNode> of(ApiRequest request) {
        Predicate<ObjectNode> selected = labels(request.option("labelSelector"));
        return selected.and(fields(request.option("fieldSelector")));
    }

    static Predicate<ObjectNode> labels(String selector) {
        return all(selector, requirement -> labelRequirement(requirement));
    }

    /** Real servers support a few fields of each kind; this one supports all. */
    static Predicate<ObjectNode> fields(String selector) {
        return all(selector, requirement -> {
            Matcher equality = equality(requirement);
            String field = equality.group(1);
            return compared(equality, object -> JsonObjects.text(object, field));
        });
    }

    private static Predicate<ObjectNode> all(
            String selector, java.util.function.Function<String, Predicate<ObjectNode>> one) {
        return Arrays.stream(COMMA.split(selector))
                .map(String::strip)
                .filter(requirement -> !requirement.isEmpty())
                .map(one)
                .reduce(object -> true, Predicate::and);
    }

    private static Predicate<ObjectNode> labelRequirement(String requirement) {
        Matcher set = SET.matcher(requirement);
        if (set.matches()) {
            List<String> values =
                    Arrays.stream(set.group(3).split(",")).map(String::strip).toList();
            boolean in = set.group(2).equals("in");
            return object -> in == (has(object, set.group(1)) && values.contains(label(object, set.group(1))));
        }
        if (requirement.startsWith("!")) {
            return object -> !has(object, requirement.substring(1).strip());
        }
        if (!requirement.contains("=")) {
            return object -> has(object, requirement);
        }
        Matcher equality = equality(requirement);
        return compared(equality, object -> label(object, equality.group(1)));
    }

    private static Matcher equality(String requirement) {
        Matcher equality = EQUALITY.matcher(requirement);
        if (!equality.matches()) {
            throw ApiStatusException.badRequest("selector: \"" + requirement + "\" cannot be read");
        }
        return equality;
    }

    private static Predicate<ObjectNode> compared(
            Matcher equality, java.util.function.Function<ObjectNode, String> value) {
        boolean equal = !equality.group(2).equals("!=");
        String wanted = equality.group(3);
        return object -> equal == value.apply(object).equals(wanted);
    }

    private static boolean has(ObjectNode object, String key) {
        return labels(object).has(key);
    }

    private static String label(ObjectNode object, String key) {
        return labels(object).path(key).asText();
    }

    private static JsonNode labels(ObjectNode object) {
        return object.path("metadata").path("labels");
    }
}
