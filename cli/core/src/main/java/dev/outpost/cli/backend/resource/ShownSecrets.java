package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/** The secrets that the backend shows once, in the answer that makes a resource. */
final class ShownSecrets {
    private ShownSecrets() {}

    /** Returns a line for each secret of an answer. */
    static List<String> lines(JsonNode answer) {
        return Stream.of("key", "secret", "code")
                .filter(name -> answer.path(name).isTextual() && isSecret(name, answer))
                .map(name -> "  " + name + "  " + answer.path(name).asText() + "  (it is not shown again)")
                .toList();
    }

    /** A budget names a key by its id, which is no secret. */
    private static boolean isSecret(String name, JsonNode answer) {
        return !name.equals("key") || answer.path(name).asText().startsWith("op_");
    }
}
