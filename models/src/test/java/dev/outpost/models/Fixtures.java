package dev.outpost.models;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Tiny models with random weights, and what transformers computes with them; see {@code make_fixtures.py}. */
final class Fixtures {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Fixtures() {}

    static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(Fixtures.class.getResource("/fixtures"), "fixtures")
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String uri(String name) {
        return "file:" + folder().resolve(name);
    }

    /** A machine in this JVM that may open the fixtures. */
    static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder()));
    }

    static JsonNode expected(String name) {
        try {
            return MAPPER.readTree(
                    folder().resolve(name).resolve("expected.json").toFile());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static int[] ids(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }
}
