package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.io.Safetensors;
import dev.outpost.io.SafetensorsFile;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The rows of the tensors in a .safetensors file of any size. An element has a row of each tensor, by name. Only rows that are asked for are
 * read. Thread-safe.
 *
 * {@snippet file="DataExamplesTest.java" region="safetensorsDataset"}
 */
public final class SafetensorsDataset implements Dataset<Map<String, HostTensor>>, AutoCloseable {
    private final ReopenedFile<SafetensorsFile> file;
    private final List<String> tensors;
    private final int size;

    private SafetensorsDataset(Path file, SafetensorsFile opened, List<String> tensors) {
        this.file = new ReopenedFile<>("SafetensorsDataset", file, Safetensors::open, opened);
        this.tensors = tensors;
        size = Math.toIntExact(rows(opened, tensors));
    }

    private static long rows(SafetensorsFile opened, List<String> tensors) {
        Map<String, Shape> shapes = new LinkedHashMap<>();
        for (String tensor : tensors) {
            Shape shape = opened.type(tensor).shape();
            if (shape.rank() == 0) {
                throw problem("the tensor " + tensor + " has no rows, it is a scalar");
            }
            shapes.put(tensor, shape);
        }
        if (shapes.isEmpty()) {
            throw problem("the file has no tensors");
        }
        long rows = shapes.values().iterator().next().size(0);
        if (shapes.values().stream().anyMatch(shape -> shape.size(0) != rows)) {
            throw problem("the tensors must have as many rows, got " + shapes + "; name those that belong together");
        }
        return rows;
    }

    /**
     * Opens a file, or an index of several files.
     *
     * @param tensors the names of tensors with as many rows; all tensors of the file if none is given
     */
    public static SafetensorsDataset open(Path file, String... tensors) throws IOException {
        SafetensorsFile opened = Safetensors.open(ArgumentChecks.required(file, "the file"));
        try {
            return new SafetensorsDataset(file, opened, tensors.length == 0 ? opened.names() : List.of(tensors));
        } catch (RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Map<String, HostTensor> item(int index) {
        Objects.checkIndex(index, size);
        return file.read(source -> read(source, index));
    }

    private Map<String, HostTensor> read(SafetensorsFile source, int index) throws IOException {
        Map<String, HostTensor> row = new LinkedHashMap<>();
        for (String tensor : tensors) {
            HostTensor rows = source.read(tensor, index, index + 1L);
            row.put(tensor, TensorDataset.row(rows, 0));
        }
        return row;
    }

    private static OpException problem(String sentence) {
        return new OpException("SafetensorsDataset", sentence);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
