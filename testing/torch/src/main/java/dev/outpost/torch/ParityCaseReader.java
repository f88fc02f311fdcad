package dev.outpost.torch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.types.MalformedException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads a line of cases.jsonl. */
final class ParityCaseReader {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private ParityCaseReader() {}

    static ParityCase read(String line) {
        try {
            return read(MAPPER.readTree(line));
        } catch (JsonProcessingException failure) {
            throw new MalformedException("a case that is no JSON: " + failure.getOriginalMessage());
        }
    }

    private static ParityCase read(JsonNode line) {
        return new ParityCase(
                line.required("id").textValue(),
                line.required("op").textValue(),
                line.path("variant").asText(),
                line.required("args").valueStream().map(ArgumentReader::read).toList(),
                readKeywordArguments(line.path("kwargs")),
                line.path("outputs").valueStream().map(JsonNode::textValue).toList(),
                readCotangents(line.path("cotangents")),
                readGradients(line.path("grads")),
                line.path("error").asBoolean(),
                line.path("torch_message").asText());
    }

    private static Map<String, Argument> readKeywordArguments(JsonNode node) {
        Map<String, Argument> arguments = new LinkedHashMap<>();
        node.properties().forEach(entry -> arguments.put(entry.getKey(), ArgumentReader.read(entry.getValue())));
        return Collections.unmodifiableMap(arguments);
    }

    private static Map<Integer, String> readCotangents(JsonNode node) {
        Map<Integer, String> cotangents = new TreeMap<>();
        node.properties()
                .forEach(entry -> cotangents.put(
                        Integer.valueOf(entry.getKey()), entry.getValue().textValue()));
        return Collections.unmodifiableMap(cotangents);
    }

    private static List<Optional<String>> readGradients(JsonNode node) {
        return node.valueStream()
                .map(name -> Optional.ofNullable(name.textValue()))
                .toList();
    }
}
