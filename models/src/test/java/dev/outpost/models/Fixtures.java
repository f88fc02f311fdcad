package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Tiny models with random weights, and the results of transformers for them; see {@code make_fixtures.py}. */
public final class Fixtures {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final double TOLERANCE = 1e-4;

    private Fixtures() {}

    public static Path folder() {
        try {
            return Path.of(Objects.requireNonNull(Fixtures.class.getResource("/fixtures"), "fixtures")
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static String uri(String name) {
        return "file:" + folder().resolve(name);
    }

    /** A machine in this JVM that may open the fixtures. */
    public static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder()));
    }

    public static JsonNode expected(String name) {
        return json(name + "/expected.json");
    }

    /** A file of the fixtures. */
    public static JsonNode json(String path) {
        try {
            return MAPPER.readTree(folder().resolve(path).toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public static int[] ids(JsonNode array) {
        return array.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    public static float[] reals(JsonNode array) {
        float[] values = new float[array.size()];
        for (int place = 0; place < values.length; place++) {
            values[place] = array.get(place).floatValue();
        }
        return values;
    }

    /** Asserts equality within the rounding of float32. */
    public static void assertClose(JsonNode expected, float[] got) {
        assertEquals(expected.size(), got.length);
        for (int place = 0; place < got.length; place++) {
            double wanted = expected.get(place).doubleValue();
            assertEquals(wanted, got[place], TOLERANCE * Math.max(1, Math.abs(wanted)), "element " + place);
        }
    }
}
