package dev.outpost.runtime.source;

import dev.outpost.protocol.files.SafetensorsLayout;
import dev.outpost.protocol.files.ShardIndex;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/** Writes values as a model, in Hugging Face's layout. The file that makes the model complete is written last. */
public record TensorSaves(Sources sources, Engine engine) {
    private static final int PART_BYTES = 8 << 20;
    private static final String STEM = "model";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    /**
     * Writes small files, then tensors. If this fails, the written files are not recognized as a model.
     *
     * @param values the values, contiguous or not, which must not change meanwhile
     * @param shardBytes the maximum number of bytes of tensors in a file, unless a single tensor is larger
     * @param wantedStem the stem of the tensor files' names, or empty for {@code model}
     * @return the number of written bytes
     */
    public long save(
            String uri,
            SequencedMap<String, Array> values,
            Map<String, byte[]> files,
            long shardBytes,
            String wantedStem)
            throws IOException, InterruptedException {
        String stem = wantedStem.isEmpty() ? STEM : wantedStem;
        if (!PLAIN.matcher(stem).matches()) {
            throw new OutpostException(FaultKind.USER, "save: expected a plain name of files, got \"" + stem + '"');
        }
        if (sources.hasTensors(uri)) {
            throw new OutpostException(
                    FaultKind.USER, "save: there is a model at " + uri + " already; save to another place");
        }
        long written = 0;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            written += write(uri, file.getKey(), file.getValue());
        }
        List<SequencedMap<String, Array>> shards = shards(values, shardBytes);
        if (shards.size() == 1) {
            return written + write(uri, stem + ModelFiles.SAFETENSORS, shards.getFirst());
        }
        Map<String, String> fileOfTensor = new LinkedHashMap<>();
        for (int number = 0; number < shards.size(); number++) {
            String name = String.format(
                    Locale.ROOT, "%s-%05d-of-%05d%s", stem, number + 1, shards.size(), ModelFiles.SAFETENSORS);
            shards.get(number).keySet().forEach(tensor -> fileOfTensor.put(tensor, name));
            written += write(uri, name, shards.get(number));
        }
        long total = values.values().stream().mapToLong(TensorSaves::bytes).sum();
        return written + write(uri, stem + ShardIndex.SUFFIX, new ShardIndex(fileOfTensor).toJson(total));
    }

    private static List<SequencedMap<String, Array>> shards(SequencedMap<String, Array> values, long shardBytes) {
        List<SequencedMap<String, Array>> shards = new ArrayList<>();
        shards.add(new LinkedHashMap<>());
        long taken = 0;
        for (Map.Entry<String, Array> value : values.entrySet()) {
            long bytes = bytes(value.getValue());
            if (taken + bytes > shardBytes && !shards.getLast().isEmpty()) {
                shards.add(new LinkedHashMap<>());
                taken = 0;
            }
            shards.getLast().put(value.getKey(), value.getValue());
            taken += bytes;
        }
        return shards;
    }

    private static long bytes(Array value) {
        return value.shape().elements() * value.dtype().bytes();
    }

    private long write(String uri, String path, byte[] bytes) throws IOException {
        try (WritableBytes file = sources.create(uri, path)) {
            file.write(bytes);
            file.commit();
        }
        return bytes.length;
    }

    private long write(String uri, String path, SequencedMap<String, Array> values)
            throws IOException, InterruptedException {
        Map<String, TensorType> types = new LinkedHashMap<>();
        values.forEach((name, value) -> types.put(name, value.type()));
        // The transformers library requires the name of the framework.
        SafetensorsLayout layout = SafetensorsLayout.of(types, Map.of("format", "pt"));
        try (WritableBytes file = sources.create(uri, path)) {
            file.write(layout.head());
            for (StoredTensor tensor : layout.tensors()) {
                write(values.get(tensor.name()), file);
            }
            file.commit();
        }
        return layout.size();
    }

    private void write(Array value, WritableBytes file) throws IOException, InterruptedException {
        int max = PART_BYTES / value.dtype().bytes();
        for (long first = 0; first < value.shape().elements(); first += max) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the session has ended");
            }
            file.write(
                    engine.read(value, first, (int) Math.min(max, value.shape().elements() - first)));
        }
    }
}
