package dev.outpost.torch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the JSON header of a safetensors file and refuses every entry that does not lie within the file. */
final class ParitySafetensorsHeader {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String METADATA = "__metadata__";

    private ParitySafetensorsHeader() {}

    /** The entries by name, in the file's order. */
    static Map<String, SafetensorsEntry> read(byte[] json, long dataBytes) {
        Map<String, SafetensorsEntry> entries = new LinkedHashMap<>();
        parse(json).properties().stream()
                .filter(entry -> !entry.getKey().equals(METADATA))
                .forEach(entry -> entries.put(entry.getKey(), readEntry(entry, dataBytes)));
        return Collections.unmodifiableMap(entries);
    }

    private static JsonNode parse(byte[] json) {
        try {
            JsonNode header = MAPPER.readTree(json);
            if (header.isObject()) {
                return header;
            }
        } catch (IOException failure) {
            throw new MalformedException("safetensors: the header is no JSON: " + failure.getMessage());
        }
        throw new MalformedException("safetensors: the header is no JSON object");
    }

    private static SafetensorsEntry readEntry(Map.Entry<String, JsonNode> node, long dataBytes) {
        try {
            SafetensorsEntry entry = readEntry(node.getValue());
            checkBounds(entry, dataBytes);
            return entry;
        } catch (IllegalArgumentException | OutpostException failure) {
            throw new MalformedException("safetensors: tensor " + node.getKey() + ": " + failure.getMessage());
        }
    }

    private static SafetensorsEntry readEntry(JsonNode node) {
        long[] sizes = node.required("shape")
                .valueStream()
                .mapToLong(JsonNode::longValue)
                .toArray();
        JsonNode offsets = node.required("data_offsets");
        return new SafetensorsEntry(
                dtype(node.required("dtype").asText()),
                Shape.of(sizes),
                offsets.required(0).longValue(),
                offsets.required(1).longValue());
    }

    private static void checkBounds(SafetensorsEntry entry, long dataBytes) {
        if (entry.begin() < 0 || entry.begin() > entry.end() || entry.end() > dataBytes) {
            throw new IllegalArgumentException("expected offsets within the " + dataBytes + " bytes of data, got ["
                    + entry.begin() + ", " + entry.end() + "]");
        }
        long expected = Math.multiplyExact(
                entry.shape().elements(), (long) entry.dtype().bytes());
        if (entry.bytes() != expected) {
            throw new IllegalArgumentException(entry.dtype() + " " + entry.shape() + " takes " + expected
                    + " bytes, got offsets [" + entry.begin() + ", " + entry.end() + "]");
        }
    }

    private static DType dtype(String name) {
        return switch (name) {
            case "F64" -> DType.FLOAT64;
            case "F32" -> DType.FLOAT32;
            case "F16" -> DType.FLOAT16;
            case "BF16" -> DType.BFLOAT16;
            case "I64" -> DType.INT64;
            case "I32" -> DType.INT32;
            case "I16" -> DType.INT16;
            case "I8" -> DType.INT8;
            case "U8" -> DType.UINT8;
            case "BOOL" -> DType.BOOL;
            default -> throw new IllegalArgumentException("the dtype is not supported, got " + name);
        };
    }
}
