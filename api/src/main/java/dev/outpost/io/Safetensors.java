package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.protocol.files.SafetensorsLayout;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.types.MalformedException;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Tensors by name in a {@code .safetensors} file, or in several with an index ({@code model.safetensors.index.json}). A state dict is one:
 *
 * <pre>{@code
 * Safetensors.write(path, model.stateDict());
 * model.loadStateDict(Safetensors.read(path));
 * }</pre>
 */
public final class Safetensors {
    private Safetensors() {}

    /**
     * Reads all tensors of a file, or of the files of an index.
     *
     * {@snippet file="TrainingExamplesTest.java" region="safetensors"}
     *
     * @throws MalformedException if a file is no .safetensors file, or does not hold what its header states
     */
    public static SequencedMap<String, HostTensor> read(Path file) throws IOException {
        try (SafetensorsFile open = open(file)) {
            SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
            for (String name : open.names()) {
                tensors.put(name, open.read(name));
            }
            return tensors;
        }
    }

    /** Opens a file, or the files of an index, whose tensors are read one by one, on demand. */
    public static SafetensorsFile open(Path file) throws IOException {
        return SafetensorsFile.open(ArgumentChecks.required(file, "the file"));
    }

    /**
     * Writes a file. An existing file is replaced when the new one is complete.
     *
     * {@snippet file="TrainingExamplesTest.java" region="safetensors"}
     */
    public static void write(Path file, Map<String, HostTensor> tensors) throws IOException {
        write(file, tensors, Map.of());
    }

    /**
     * Like {@link #write(Path, Map)}, but with metadata.
     *
     * @param metadata texts by name, such as {@code format} and {@code pt}, which PyTorch's users write
     */
    public static void write(Path file, Map<String, HostTensor> tensors, Map<String, String> metadata)
            throws IOException {
        Map<String, TensorType> types = new LinkedHashMap<>();
        ArgumentChecks.required(tensors, "the tensors")
                .forEach((name, tensor) -> types.put(
                        name,
                        new TensorType(
                                ArgumentChecks.required(tensor, "tensor " + name)
                                        .dtype(),
                                tensor.shape())));
        SafetensorsLayout layout = SafetensorsLayout.of(types, ArgumentChecks.required(metadata, "the metadata"));
        WholeFile.write(file, out -> {
            out.write(layout.head());
            for (StoredTensor stored : layout.tensors()) {
                Chunks.write(
                        out, Objects.requireNonNull(tensors.get(stored.name())).bytes());
            }
        });
    }
}
