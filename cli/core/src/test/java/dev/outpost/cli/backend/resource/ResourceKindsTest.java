package dev.outpost.cli.backend.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.rest.cluster.ClusterRequest;
import dev.outpost.rest.usage.BudgetRequest;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind can be written as a document and read again. */
class ResourceKindsTest {
    static List<ResourceKind> kinds() {
        return ResourceKinds.ALL;
    }

    /** Returns a text that every field of this type takes. */
    private static List<String> sample(Field field) {
        String label = field.label();
        if (label.contains("|") && !field.isFlag()) {
            return List.of(label.split("\\|")[0]);
        }
        return List.of(
                switch (label) {
                    case "NUMBER" -> "7";
                    case "AMOUNT" -> "3.670";
                    case "DURATION" -> "5m";
                    case "TIME" -> "2099-01-31T00:00:00Z";
                    case "NAME=VALUE" -> "A=no: #1";
                    case "PERCENT=ACTION" -> "80=notify";
                    case "true|false" -> "true";
                    default -> "null";
                });
    }

    private static Resource complete(ResourceKind kind) {
        Map<String, String> metadata = new LinkedHashMap<>();
        kind.identity.forEach(
                field -> metadata.put(field.name(), field.parse(sample(field)).asText()));
        ObjectNode spec = ResourceKind.MAPPER.createObjectNode();
        kind.fields.forEach(field -> spec.set(field.name(), field.parse(sample(field))));
        return Resource.wanted(kind, metadata, spec, "");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void documentIsReadAsItWasWritten(ResourceKind kind) {
        Resource one = complete(kind);
        String text = ResourceYaml.write(List.of(one, one)).split("---\n")[0];
        Resource read = ResourceFiles.read(
                        List.of("-"), new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                .getFirst();
        assertEquals(one.metadata(), read.metadata(), text);
        assertEquals(one.spec(), read.spec(), text);
    }

    /** The backend keeps the options of a cluster, and takes its own thresholds of a budget, only if the request does not have them. */
    @Test
    void requestHasNoListThatTheResourceLeavesOut() {
        Resource cluster = Resource.wanted(
                ResourceKinds.find("Cluster"),
                Map.of("name", "lab"),
                ResourceKind.MAPPER.createObjectNode().put("provider", "k8s").put("machines", 3),
                "");
        assertNull(cluster.as(ClusterRequest.class).options());
        assertNull(cluster.as(ClusterRequest.class).gpus());
        Resource budget = Resource.wanted(
                ResourceKinds.find("Budget"),
                Map.of("name", "MONTH"),
                ResourceKind.MAPPER.createObjectNode().put("cap", 50),
                "");
        assertNull(budget.as(BudgetRequest.class).thresholds());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyVerbIsThereOrSaysWhyNot(ResourceKind kind) {
        for (String verb : List.of("list", "show", "create", "set", "delete")) {
            String help = ResourceCommand.of(kind).getSubcommands().get(verb).getUsageMessage();
            assertFalse(help.isBlank(), verb);
            assertTrue(!kind.refusals.containsKey(verb) || help.contains("Not possible"), help);
        }
        assertTrue(kind.columns.size() > 0, "a table has columns");
    }
}
