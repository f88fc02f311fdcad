package dev.outpost.protocol.files;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShardIndexTest {
    @Test
    void anIndexIsReadBack() {
        ShardIndex index = new ShardIndex(Map.of("a", "model-00001-of-00002.safetensors"));
        assertEquals(index, ShardIndex.parse("i", index.toJson(12)));
        assertEquals(Set.of("model-00001-of-00002.safetensors"), index.files());
    }

    @Test
    void filesElsewhereAreRefused() {
        for (String name :
                new String[] {"../x.safetensors", "/x.safetensors", "a/x.safetensors", "x.bin", ".safetensors"}) {
            assertMalformed(
                    "i: expected the name of a .safetensors file beside the index, got \"" + name + "\"",
                    () -> parse("{\"weight_map\":{\"a\":\"" + name + "\"}}"));
        }
    }

    @Test
    void malformedIndexIsRefused() {
        assertMalformed("i: there is no weight_map", () -> parse("{\"metadata\":{\"total_size\":1}}"));
        assertMalformed("i: expected an object, got START_ARRAY", () -> parse("[]"));
        assertMalformed(
                "i is no JSON: Duplicate field 'a'",
                () -> parse("{\"weight_map\":{\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"}}"));
    }

    private static ShardIndex parse(String json) {
        return ShardIndex.parse("i", json.getBytes(StandardCharsets.UTF_8));
    }
}
