package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.NpyHeader;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** An open {@code .npz} file. Each array is read on demand, so the file may be larger than memory. Thread-safe. */
public final class NpzFile implements AutoCloseable {
    /** The largest compression ratio: deflate encodes at most 258 bytes in two bits. */
    private static final long MAX_RATIO = 1032;

    private final String name;
    private final ZipFile zip;
    private final Map<String, ZipEntry> entries;

    private NpzFile(String name, ZipFile zip, Map<String, ZipEntry> entries) {
        this.name = name;
        this.zip = zip;
        this.entries = entries;
    }

    static NpzFile open(Path file) throws IOException {
        String name = file.toString();
        long size = Files.size(file);
        ZipFile zip = damaged(name, () -> new ZipFile(file.toFile()));
        try {
            return new NpzFile(name, zip, damaged(name, () -> entries(name, size, zip)));
        } catch (IOException | RuntimeException failure) {
            zip.close();
            throw failure;
        }
    }

    private static Map<String, ZipEntry> entries(String name, long fileSize, ZipFile zip) {
        Map<String, ZipEntry> entries = new LinkedHashMap<>();
        for (ZipEntry entry : Collections.list(zip.entries())) {
            String array = NpzNames.ofEntry(name, entry.getName());
            requirePossible(name, array, entry, fileSize);
            if (entries.put(array, entry) != null) {
                throw new MalformedException(name + ": array " + array + " comes twice");
            }
        }
        return Collections.unmodifiableMap(entries);
    }

    private static void requirePossible(String name, String array, ZipEntry entry, long fileSize) {
        boolean isStored = entry.getMethod() == ZipEntry.STORED;
        long packed = entry.getCompressedSize();
        long max = isStored ? packed : Math.multiplyExact(Math.max(0, Math.min(packed, fileSize)), MAX_RATIO);
        if (packed < 0 || packed > fileSize || entry.getSize() < 0 || entry.getSize() > max) {
            throw new MalformedException(name + ": array " + array + " says that it has " + entry.getSize()
                    + " bytes, packed into " + packed + "; the file has " + fileSize);
        }
    }

    /** Returns the names of the arrays, in the order of the file. */
    public List<String> names() {
        return List.copyOf(entries.keySet());
    }

    /** Returns dtype and shape of an array. */
    public TensorType type(String array) throws IOException {
        return damaged(label(array), () -> {
            try (InputStream in = zip.getInputStream(entry(array))) {
                return NpyHeader.read(label(array), in).type();
            }
        });
    }

    /**
     * Reads an array.
     *
     * @throws MalformedException if it is damaged or cut off, or does not match its checksum
     */
    public HostTensor read(String array) throws IOException {
        return damaged(label(array), () -> read(label(array), entry(array)));
    }

    private HostTensor read(String label, ZipEntry entry) throws IOException {
        CRC32 crc = new CRC32();
        try (InputStream in = new CheckedInputStream(zip.getInputStream(entry), crc)) {
            NpyHeader header = NpyHeader.read(label, in);
            if (header.bytes() + header.dataBytes() != entry.getSize()) {
                throw new MalformedException(label + ": " + header.type() + " takes " + header.dataBytes()
                        + " bytes behind the header, the entry has " + (entry.getSize() - header.bytes()));
            }
            HostTensor tensor = NpyElements.read(label, header, in);
            NpyElements.requireEnd(label, in);
            if (crc.getValue() != entry.getCrc()) {
                throw new MalformedException(label + ": the checksum differs");
            }
            return tensor;
        }
    }

    void requireAtMost(long maxBytes) {
        long total = 0;
        for (ZipEntry entry : entries.values()) {
            total = Math.addExact(total, entry.getSize());
        }
        if (total > maxBytes) {
            throw new OpException(
                    "npz",
                    name + " unpacks to " + total + " bytes, at most " + maxBytes
                            + " are read; give a limit of your own, or read array by array with Npz.open");
        }
    }

    private String label(String array) {
        return name + "/" + array;
    }

    private ZipEntry entry(String array) {
        ZipEntry entry = entries.get(array);
        if (entry == null) {
            throw new OpException("npz", name + " has no array " + array + ", it has " + entries.keySet());
        }
        return entry;
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    /** Converts the exceptions that the JDK throws for a damaged zip file. */
    private static <T> T damaged(String name, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (ZipException | EOFException | IllegalArgumentException failure) {
            throw new MalformedException(name + ": the zip file is damaged: " + failure.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
