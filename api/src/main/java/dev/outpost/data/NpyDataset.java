package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.io.Npy;
import dev.outpost.io.NpyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The rows of the array in an .npy file of any size. Only rows that are asked for are read. Thread-safe.
 *
 * {@snippet file="DataExamplesTest.java" region="npyDataset"}
 */
public final class NpyDataset implements Dataset<HostTensor>, AutoCloseable {
    private final ReopenedFile<NpyFile> file;
    private final int size;

    private NpyDataset(Path path, NpyFile opened) {
        file = new ReopenedFile<>("NpyDataset", path, Npy::open, opened);
        size = Math.toIntExact(opened.type().shape().size(0));
    }

    /** Opens a file. */
    public static NpyDataset open(Path file) throws IOException {
        NpyFile opened = Npy.open(ArgumentChecks.required(file, "the file"));
        try {
            return new NpyDataset(file, opened);
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
    public HostTensor item(int index) {
        Objects.checkIndex(index, size);
        return file.read(source -> TensorDataset.row(source.read(index, index + 1L), 0));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
