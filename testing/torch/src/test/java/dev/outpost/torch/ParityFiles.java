package dev.outpost.torch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the files of small packs. */
public final class ParityFiles {
    private ParityFiles() {}

    public static Path safetensors(Path file, String header, float... values) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + json.length + values.length * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length).put(json);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return Files.write(file, bytes.array());
    }

    /** A pack of those cases with the tensors a = [1, 2], b = [3, 4] and sum = [4, 6]. */
    public static Path pack(Path folder, String... cases) throws IOException {
        safetensors(folder.resolve("tensors.safetensors"), """
            {"__metadata__": {"format": "pt"},
             "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
             "b": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]},
             "sum": {"dtype": "F32", "shape": [2], "data_offsets": [16, 24]}}
            """, 1, 2, 3, 4, 4, 6);
        Files.writeString(folder.resolve("cases.jsonl"), String.join("\n", cases));
        return folder;
    }
}
