package dev.outpost.protocol.files;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.outpost.types.MalformedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The index of a sharded checkpoint: {@code model.safetensors.index.json}, or {@code pytorch_model.bin.index.json} for torch's files. It
 * names the file of each tensor. The files must be in the folder of the index. A name that leads out of it is an error.
 *
 * @param fileOfTensor the files' names by the tensors' names
 */
public record ShardIndex(Map<String, String> fileOfTensor) {
    /** The file name of a model's index. */
    public static final String FILE_NAME = "model.safetensors.index.json";

    /** The suffix of the file names of indices, including the indices of parts of models. */
    public static final String SUFFIX = ".safetensors.index.json";

    /** The file name of the index of torch's files. */
    public static final String TORCH_FILE_NAME = "pytorch_model.bin.index.json";

    private static final String INDEX = ".index.json";

    /**
     * Reads an index.
     *
     * @param what the name in errors; it ends with the index's file name
     * @throws MalformedException if it is not an index
     */
    public static ShardIndex parse(String what, byte[] json) {
        Placeholders.require(what, json);
        String suffix = what.endsWith(".bin" + INDEX) ? ".bin" : ".safetensors";
        Map<String, String> files = new LinkedHashMap<>();
        boolean[] hasMap = new boolean[1];
        Json.readObject(what, json, (field, in) -> {
            if (field.equals("weight_map")) {
                hasMap[0] = true;
                Json.readObject(in, (tensor, value) -> files.put(tensor, requirePlain(Json.readString(value), suffix)));
            } else {
                in.skipChildren();
            }
        });
        if (!hasMap[0]) {
            throw new MalformedException(what + ": there is no weight_map");
        }
        return new ShardIndex(Collections.unmodifiableMap(files));
    }

    private static String requirePlain(String file, String suffix) {
        boolean isPlain = file.endsWith(suffix)
                && !file.startsWith(".")
                && file.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < ' ');
        if (!isPlain) {
            throw new IllegalArgumentException(
                    "expected the name of a " + suffix + " file beside the index, got " + Json.quote(file));
        }
        return file;
    }

    /** Returns the names of all files, sorted. */
    public Set<String> files() {
        return new TreeSet<>(fileOfTensor.values());
    }

    /** Returns the bytes of the index file. */
    public byte[] toJson(long totalBytes) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        try (JsonGenerator out = Json.writer(json).useDefaultPrettyPrinter()) {
            out.writeStartObject();
            out.writeObjectFieldStart("metadata");
            out.writeNumberField("total_size", totalBytes);
            out.writeEndObject();
            out.writeObjectFieldStart("weight_map");
            for (Map.Entry<String, String> entry : fileOfTensor.entrySet()) {
                out.writeStringField(entry.getKey(), entry.getValue());
            }
            out.writeEndObject();
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("an array is written", impossible);
        }
        return json.toByteArray();
    }
}
