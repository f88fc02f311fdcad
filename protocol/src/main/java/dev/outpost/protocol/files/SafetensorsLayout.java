package dev.outpost.protocol.files;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.outpost.types.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The layout of a safetensors file to write: its first bytes, and the position of each tensor after them. As in the format's own
 * implementation, wide elements come first, so that all are aligned.
 *
 * @param head the first bytes of the file, up to the first byte of a tensor
 * @param tensors the tensors, in the order of their bytes
 * @param size the bytes of the whole file
 */
public record SafetensorsLayout(byte[] head, List<StoredTensor> tensors, long size) {
    private static final int ALIGNMENT = 8;

    /**
     * Lays out a file.
     *
     * @param metadata texts by name, or none
     */
    public static SafetensorsLayout of(Map<String, TensorType> types, Map<String, String> metadata) {
        List<StoredTensor> relative = new ArrayList<>();
        long end = 0;
        for (Map.Entry<String, TensorType> entry : inOrder(types)) {
            long begin = end;
            end = Math.addExact(begin, entry.getValue().bytes());
            relative.add(new StoredTensor(entry.getKey(), entry.getValue(), begin, end));
        }
        byte[] head = head(relative, metadata);
        List<StoredTensor> absolute = relative.stream()
                .map(tensor -> new StoredTensor(
                        tensor.name(), tensor.type(), head.length + tensor.begin(), head.length + tensor.end()))
                .toList();
        return new SafetensorsLayout(head, absolute, head.length + end);
    }

    private static List<Map.Entry<String, TensorType>> inOrder(Map<String, TensorType> types) {
        Comparator<Map.Entry<String, TensorType>> widest =
                Comparator.comparingInt(entry -> -entry.getValue().dtype().bytes());
        return types.entrySet().stream()
                .sorted(widest.thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }

    private static byte[] head(List<StoredTensor> tensors, Map<String, String> metadata) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        try (JsonGenerator out = Json.writer(json)) {
            out.writeStartObject();
            if (!metadata.isEmpty()) {
                writeMetadata(metadata, out);
            }
            for (StoredTensor tensor : tensors) {
                writeTensor(tensor, out);
            }
            out.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("an array is written", impossible);
        }
        while (json.size() % ALIGNMENT != 0) {
            json.write(' ');
        }
        if (json.size() > SafetensorsHeader.MAX_BYTES) {
            throw new IllegalArgumentException("safetensors: a header has at most " + SafetensorsHeader.MAX_BYTES
                    + " bytes, these " + tensors.size() + " tensors need " + json.size());
        }
        return ByteBuffer.allocate(Long.BYTES + json.size())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.size())
                .put(json.toByteArray())
                .array();
    }

    private static void writeMetadata(Map<String, String> metadata, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("__metadata__");
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            out.writeStringField(entry.getKey(), entry.getValue());
        }
        out.writeEndObject();
    }

    private static void writeTensor(StoredTensor tensor, JsonGenerator out) throws IOException {
        long[] sizes = tensor.type().shape().toArray();
        out.writeObjectFieldStart(tensor.name());
        out.writeStringField("dtype", SafetensorsTypes.name(tensor.type().dtype()));
        out.writeFieldName("shape");
        out.writeArray(sizes, 0, sizes.length);
        out.writeFieldName("data_offsets");
        out.writeArray(new long[] {tensor.begin(), tensor.end()}, 0, 2);
        out.writeEndObject();
    }
}
