package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.NpyHeader;
import dev.outpost.protocol.files.ReadableFile;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** An open {@code .npy} file whose rows are read on demand, so the file may be larger than memory. Thread-safe. */
public final class NpyFile implements Closeable {
    private final ReadableFile file;
    private final NpyHeader header;

    private NpyFile(ReadableFile file, NpyHeader header) {
        this.file = file;
        this.header = header;
    }

    /**
     * Opens a file.
     *
     * @throws MalformedException if the file is no .npy file, is cut off, or has more bytes than its array
     * @throws OpException if the array has no rows, or its rows are not contiguous
     */
    public static NpyFile open(Path path) throws IOException {
        NpyHeader header;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            header = NpyHeader.read(path.toString(), in);
        }
        requireRows(path, header);
        ReadableFile file = ReadableFile.open(path);
        try {
            Npy.requireSize(path, header, file.size());
            return new NpyFile(file, header);
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    private static void requireRows(Path path, NpyHeader header) {
        Shape shape = header.type().shape();
        if (shape.rank() == 0) {
            throw new OpException("npy", path + " has no rows, it is a scalar");
        }
        if (header.isColumnMajor() && shape.rank() > 1) {
            throw new OpException(
                    "npy",
                    path + " is column-major (fortran_order), so its rows are not contiguous: read it by Npy.read, or"
                            + " write it by numpy.save(file, numpy.ascontiguousarray(array))");
        }
    }

    /** Returns dtype and shape of the array. */
    public TensorType type() {
        return header.type();
    }

    /** Reads the rows from {@code from} up to but not including {@code to}, and no other bytes. */
    public HostTensor read(long from, long to) throws IOException {
        long[] sizes = type().shape().toArray();
        if (from < 0 || from > to || to > sizes[0]) {
            throw new OpException(
                    "npy", "rows " + from + " to " + to + " of " + file.name() + " do not exist, it is " + type());
        }
        long rowBytes = sizes[0] == 0 ? 0 : header.dataBytes() / sizes[0];
        sizes[0] = to - from;
        TensorType rows = new TensorType(type().dtype(), Shape.of(sizes));
        byte[] bytes = new byte[HostTensors.requireHeld(file.name(), rows)];
        long begin = header.bytes() + from * rowBytes;
        for (long at = 0; at < bytes.length; at += Chunks.BYTES) {
            file.read(begin + at, bytes, (int) at, (int) Math.min(Chunks.BYTES, bytes.length - at));
        }
        return NpyElements.of(file.name(), header, rows, bytes);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
