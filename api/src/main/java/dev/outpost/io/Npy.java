package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.protocol.files.NpyHeader;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One array in an {@code .npy} file (numpy.load, numpy.save). Reads both byte orders and both orders of elements. Writes little-endian and
 * row-major. Numpy has no bfloat16, so use {@link Safetensors} for it.
 */
public final class Npy {
    private Npy() {}

    /**
     * Reads the array of a file.
     *
     * {@snippet file="TrainingExamplesTest.java" region="npy"}
     *
     * @throws MalformedException if the file is no .npy file, is cut off, or has more bytes than its array
     */
    public static HostTensor read(Path file) throws IOException {
        ArgumentChecks.required(file, "the file");
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            NpyHeader header = NpyHeader.read(file.toString(), in);
            requireSize(file, header, Files.size(file));
            return NpyElements.read(file.toString(), header, in);
        }
    }

    static void requireSize(Path file, NpyHeader header, long size) {
        long rest = size - header.bytes();
        if (rest != header.dataBytes()) {
            throw new MalformedException(file + ": " + header.type() + " takes " + header.dataBytes()
                    + " bytes behind the header, the file has " + rest);
        }
    }

    /**
     * Opens a file to read its rows on demand.
     *
     * @throws MalformedException as {@link #read(Path)} does
     */
    public static NpyFile open(Path file) throws IOException {
        return NpyFile.open(ArgumentChecks.required(file, "the file"));
    }

    /** Like {@link #read(Path)}, but from a stream that ends after the array. The stream stays open. */
    public static HostTensor read(InputStream in) throws IOException {
        String name = "the stream";
        HostTensor tensor =
                NpyElements.readGrowing(name, NpyHeader.read(name, ArgumentChecks.required(in, "the stream")), in);
        NpyElements.requireEnd(name, in);
        return tensor;
    }

    /** Writes a file. An existing file is replaced when the new one is complete. */
    public static void write(Path file, HostTensor tensor) throws IOException {
        byte[] header = header(tensor);
        WholeFile.write(file, out -> write(out, header, tensor));
    }

    /** Like {@link #write(Path, HostTensor)}, but to a stream, which stays open. */
    public static void write(OutputStream out, HostTensor tensor) throws IOException {
        write(out, header(tensor), tensor);
    }

    static void write(OutputStream out, byte[] header, HostTensor tensor) throws IOException {
        out.write(header);
        Chunks.write(out, tensor.bytes());
    }

    static byte[] header(HostTensor tensor) {
        if (ArgumentChecks.required(tensor, "the tensor").dtype() == DType.BFLOAT16) {
            throw new OpException("npy", "numpy has no bfloat16: cast to float32 first, or write .safetensors");
        }
        return NpyHeader.of(new TensorType(tensor.dtype(), tensor.shape()));
    }
}
