package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Arrays by name in an {@code .npz} file, a zip of {@link Npy} files (numpy.load, numpy.savez). A state dict is one:
 *
 * <pre>{@code
 * Npz.write(path, model.stateDict());
 * model.loadStateDict(Npz.read(path));
 * }</pre>
 */
public final class Npz {
    /** The modification time of all entries, the same as in numpy, so that equal arrays give equal files. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private Npz() {}

    /** Reads all arrays of a file. They may take at most half of this JVM's heap; see {@link #read(Path, long)}. */
    public static SequencedMap<String, HostTensor> read(Path file) throws IOException {
        return read(file, Runtime.getRuntime().maxMemory() / 2);
    }

    /**
     * Reads all arrays of a file.
     *
     * @param maxBytes the maximum bytes of the unpacked arrays; a file that states more bytes is refused before it is
     * unpacked
     * @throws MalformedException if the file is no .npz file, is damaged, or states more than it holds
     */
    public static SequencedMap<String, HostTensor> read(Path file, long maxBytes) throws IOException {
        try (NpzFile npz = open(file)) {
            npz.requireAtMost(maxBytes);
            SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
            for (String name : npz.names()) {
                tensors.put(name, npz.read(name));
            }
            return tensors;
        }
    }

    /** Opens a file whose arrays are read one by one, on demand. */
    public static NpzFile open(Path file) throws IOException {
        return NpzFile.open(ArgumentChecks.required(file, "the file"));
    }

    /** Writes a file, uncompressed (numpy.savez). An existing file is replaced when the new one is complete. */
    public static void write(Path file, Map<String, HostTensor> tensors) throws IOException {
        write(file, tensors, ZipEntry.STORED);
    }

    /** Like {@link #write}, but compressed (numpy.savez_compressed). */
    public static void writeCompressed(Path file, Map<String, HostTensor> tensors) throws IOException {
        write(file, tensors, ZipEntry.DEFLATED);
    }

    private static void write(Path file, Map<String, HostTensor> tensors, int method) throws IOException {
        for (Map.Entry<String, HostTensor> entry :
                ArgumentChecks.required(tensors, "the tensors").entrySet()) {
            NpzNames.requireWritable(entry.getKey());
            Npy.header(entry.getValue());
        }
        WholeFile.write(file, out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            for (Map.Entry<String, HostTensor> entry : tensors.entrySet()) {
                write(zip, NpzNames.entryOf(entry.getKey()), entry.getValue(), method);
            }
            zip.finish();
        });
    }

    private static void write(ZipOutputStream zip, String name, HostTensor tensor, int method) throws IOException {
        byte[] header = Npy.header(tensor);
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        entry.setMethod(method);
        CRC32 crc = new CRC32();
        crc.update(header);
        crc.update(tensor.bytes());
        entry.setCrc(crc.getValue());
        entry.setSize(header.length + (long) tensor.bytes().length);
        zip.putNextEntry(entry);
        Npy.write(zip, header, tensor);
        zip.closeEntry();
    }
}
