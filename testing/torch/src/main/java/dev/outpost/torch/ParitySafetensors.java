package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.types.MalformedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;

/**
 * A file of named tensors. The header is read when the file is opened, and each tensor on demand. Thread-safe.
 *
 * @see <a href="https://github.com/huggingface/safetensors#format">the format</a>
 */
public final class ParitySafetensors implements AutoCloseable {
    /** The longest header that the format's own implementation accepts. */
    private static final long LONGEST_HEADER = 100_000_000;

    private final FileChannel file;
    private final long dataStart;
    private final Map<String, SafetensorsEntry> entries;

    private ParitySafetensors(FileChannel file, long dataStart, Map<String, SafetensorsEntry> entries) {
        this.file = file;
        this.dataStart = dataStart;
        this.entries = entries;
    }

    /**
     * Opens a file and checks its header.
     *
     * @throws MalformedException if the header is malformed, or names bytes that the file does not have
     */
    public static ParitySafetensors open(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return open(file);
        } catch (IOException | RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    private static ParitySafetensors open(FileChannel file) throws IOException {
        long rest = file.size() - Long.BYTES;
        if (rest < 0) {
            throw new MalformedException("safetensors: expected at least 8 bytes, got " + file.size());
        }
        long headerBytes = ByteBuffer.wrap(read(file, 0, Long.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
        if (headerBytes < 0 || headerBytes > Math.min(rest, LONGEST_HEADER)) {
            throw new MalformedException("safetensors: this is no safetensors file, or it is incomplete: a header of "
                    + Long.toUnsignedString(headerBytes) + " bytes does not fit, the file has " + file.size());
        }
        byte[] header = read(file, Long.BYTES, (int) headerBytes);
        return new ParitySafetensors(
                file, Long.BYTES + headerBytes, ParitySafetensorsHeader.read(header, rest - headerBytes));
    }

    /** The names in the file's order. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** Reads one tensor; throws {@link IllegalArgumentException} for an unknown name. */
    public HostTensor tensor(String name) throws IOException {
        SafetensorsEntry entry = entries.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("safetensors: no tensor is called " + name);
        }
        byte[] bytes = read(file, dataStart + entry.begin(), Math.toIntExact(entry.bytes()));
        return HostTensor.ofBytes(entry.dtype(), entry.shape(), bytes);
    }

    private static byte[] read(FileChannel file, long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException("safetensors: the file ended at " + (position + buffer.position()));
            }
        }
        return buffer.array();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
