package dev.outpost.protocol.source;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.PeerText;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of a source: its files, and the tensors in those files.
 *
 * @param uri the source as it was requested
 * @param version a version that changes if any file changes
 * @param files all files, sorted by path
 * @param tensors the tensors of the files that were read, sorted by file
 * @param skipped the skipped files and tensors, sorted by file; empty from a runtime that does not send them
 */
public record SourceIndex(String uri, String version, List<File> files, List<Tensor> tensors, List<Skipped> skipped) {
    /** The maximum length of a name, in characters. Longer texts from a machine are truncated. */
    private static final int MAX_OF_A_NAME = 4096;

    /**
     * A file.
     *
     * @param path its path in the source, with slashes
     * @param bytes its length
     */
    public record File(String path, long bytes) {}

    /**
     * A tensor of a file.
     *
     * @param file its path
     * @param name its name in the file
     */
    public record Tensor(String file, String name, TensorType type) {}

    /**
     * A skipped file of tensors, or one skipped tensor of a file.
     *
     * @param file its path
     * @param tensor its name in the file, or empty for the whole file
     * @param reason the reason: for example, the dtype is not supported, or the index does not name the file
     */
    public record Skipped(String file, String tensor, String reason) {}

    /** @param withSkipped true if the reader supports {@link #skipped} */
    public byte[] encode(boolean withSkipped) {
        ByteWriter out = new ByteWriter(1 << 12);
        out.string(uri);
        out.string(version);
        out.varint(files.size());
        for (File file : files) {
            out.string(file.path);
            out.varint(file.bytes);
        }
        out.varint(tensors.size());
        for (Tensor tensor : tensors) {
            out.varint(place(tensor.file));
            out.string(tensor.name);
            out.u8(tensor.type.dtype().code());
            out.varints(tensor.type.shape().toArray());
        }
        if (withSkipped) {
            out.varint(skipped.size());
            for (Skipped each : skipped) {
                out.varint(place(each.file));
                out.string(each.tensor);
                out.string(each.reason);
            }
        }
        return out.toByteArray();
    }

    private int place(String path) {
        int low = 0;
        int high = files.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = files.get(middle).path.compareTo(path);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order > 0 ? middle - 1 : high;
        }
        throw new IllegalStateException(path + " holds a tensor and is no file");
    }

    public static SourceIndex decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        String uri = name(in);
        String version = name(in);
        List<File> files = new ArrayList<>();
        for (int left = in.count("file count", 2); left > 0; left--) {
            files.add(new File(name(in), in.varint()));
        }
        List<Tensor> tensors = new ArrayList<>();
        for (int left = in.count("tensor count", 4); left > 0; left--) {
            tensors.add(readTensor(in, files));
        }
        List<Skipped> skipped = new ArrayList<>();
        for (int left = !in.isAtEnd() ? in.count("count of what was skipped", 3) : 0; left > 0; left--) {
            skipped.add(new Skipped(file(in, files), name(in), name(in)));
        }
        in.expectEnd("the index of a source");
        return new SourceIndex(uri, version, List.copyOf(files), List.copyOf(tensors), List.copyOf(skipped));
    }

    private static String file(ByteReader in, List<File> files) {
        int file = in.smallInt("file");
        if (file >= files.size()) {
            throw new MalformedException("a tensor is in file " + file + " of " + files.size());
        }
        return files.get(file).path;
    }

    private static Tensor readTensor(ByteReader in, List<File> files) {
        String file = file(in, files);
        String name = name(in);
        DType dtype = DType.ofCode(in.u8());
        long[] sizes = in.varints("rank");
        try {
            return new Tensor(file, name, new TensorType(dtype, Shape.of(sizes)));
        } catch (OutpostException impossible) {
            throw new MalformedException("a tensor cannot have that shape: " + impossible.getMessage());
        }
    }

    private static String name(ByteReader in) {
        return PeerText.clean(in.string(), MAX_OF_A_NAME);
    }
}
