package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes resources as documents that {@link ResourceFiles} reads. */
final class ResourceYaml {
    /** The version of the form of documents. */
    static final String VERSION = "outpost.dev/v1";

    private static final Dump DUMP = new Dump(DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setSplitLines(false)
            .build());

    private ResourceYaml() {}

    static String write(List<Resource> all) {
        return all.stream().map(ResourceYaml::document).collect(Collectors.joining("---\n"));
    }

    private static String document(Resource one) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("apiVersion", VERSION);
        document.put("kind", one.kind().name);
        document.put("metadata", one.metadata());
        document.put("spec", value(one.spec()));
        return DUMP.dumpToString(document);
    }

    private static Object value(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> all = new LinkedHashMap<>();
            node.properties().forEach(one -> all.put(one.getKey(), value(one.getValue())));
            return all;
        }
        if (node.isArray()) {
            List<Object> all = new ArrayList<>();
            node.forEach(one -> all.add(value(one)));
            return all;
        }
        if (node.isNumber()) {
            // A decimal without a fraction would be written with an explicit type.
            return node.decimalValue().scale() <= 0 ? node.decimalValue().toBigInteger() : node.decimalValue();
        }
        return node.isBoolean() ? node.booleanValue() : node.asText();
    }
}
