package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.protocol.files.ReadableFile;
import dev.outpost.protocol.files.SafetensorsHeader;
import dev.outpost.protocol.files.ShardIndex;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An open {@code .safetensors} file, or the files of an index. Each tensor is read on demand, so the files may be larger than memory.
 * Thread-safe.
 */
public final class SafetensorsFile implements Closeable {
    private static final String INDEX_SUFFIX = ".index.json";
    private static final int MAX_INDEX_BYTES = 100_000_000;

    /** The file and the position of a tensor. */
    private record Place(ReadableFile file, StoredTensor tensor) {}

    private final String name;
    private final List<ReadableFile> files = new ArrayList<>();
    private final Map<String, Place> places = new LinkedHashMap<>();
    private final Map<String, String> metadata = new LinkedHashMap<>();
    /** The dtypes of the tensors that are omitted because their dtype is not supported, by the tensors' names. */
    private final Map<String, String> unsupported = new LinkedHashMap<>();

    private SafetensorsFile(String name) {
        this.name = name;
    }

    static SafetensorsFile open(Path file) throws IOException {
        SafetensorsFile opened = new SafetensorsFile(file.toString());
        try {
            if (file.toString().endsWith(INDEX_SUFFIX)) {
                opened.addShards(file);
            } else {
                opened.add(file);
            }
            return opened;
        } catch (IOException | RuntimeException failure) {
            opened.close();
            throw failure;
        }
    }

    private void add(Path path) throws IOException {
        ReadableFile file = ReadableFile.open(path);
        files.add(file);
        SafetensorsHeader header = SafetensorsHeader.read(file);
        header.tensors().forEach((tensor, stored) -> {
            if (places.put(tensor, new Place(file, stored)) != null) {
                throw new MalformedException(name + ": tensor " + tensor + " is in several files");
            }
        });
        metadata.putAll(header.metadata());
        unsupported.putAll(header.unsupported());
    }

    private void addShards(Path index) throws IOException {
        if (Files.size(index) > MAX_INDEX_BYTES) {
            throw new MalformedException(
                    name + ": an index has at most " + MAX_INDEX_BYTES + " bytes, got " + Files.size(index));
        }
        ShardIndex shards = ShardIndex.parse(name, Files.readAllBytes(index));
        for (String file : shards.files()) {
            add(index.resolveSibling(file));
        }
        shards.fileOfTensor().forEach((tensor, file) -> {
            if (unsupported.containsKey(tensor)) {
                return;
            }
            Place place = places.get(tensor);
            String expected = index.resolveSibling(file).toString();
            if (place == null || !place.file.name().equals(expected)) {
                throw new MalformedException(name + ": tensor " + tensor + " is not in " + file);
            }
        });
        places.keySet().retainAll(shards.fileOfTensor().keySet());
    }

    /** Returns the names of the tensors, in the order of the file. It omits tensors of unsupported dtypes, such as F8_E4M3. */
    public List<String> names() {
        return List.copyOf(places.keySet());
    }

    /** Returns dtype and shape of a tensor. */
    public TensorType type(String tensor) {
        return place(tensor).tensor.type();
    }

    /** Returns the metadata of the file, by name. */
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(metadata);
    }

    /** Reads a tensor of at most 2 GiB. */
    public HostTensor read(String tensor) throws IOException {
        Place place = place(tensor);
        return read(place, place.tensor.type(), place.tensor.begin());
    }

    /** Reads the rows from {@code from} up to but not including {@code to} of a tensor, and no other bytes. */
    public HostTensor read(String tensor, long from, long to) throws IOException {
        Place place = place(tensor);
        Shape whole = place.tensor.type().shape();
        if (whole.rank() == 0 || from < 0 || from > to || to > whole.size(0)) {
            throw new OpException(
                    "safetensors",
                    "rows " + from + " to " + to + " of " + tensor + " do not exist, it is " + place.tensor.type());
        }
        long[] sizes = whole.toArray();
        long rowBytes = sizes[0] == 0 ? 0 : place.tensor.bytes() / sizes[0];
        sizes[0] = to - from;
        TensorType rows = new TensorType(place.tensor.type().dtype(), Shape.of(sizes));
        return read(place, rows, place.tensor.begin() + from * rowBytes);
    }

    private static HostTensor read(Place place, TensorType type, long begin) throws IOException {
        String label = place.file.name() + "/" + place.tensor.name();
        byte[] bytes = new byte[HostTensors.requireHeld(label, type)];
        for (long at = 0; at < bytes.length; at += Chunks.BYTES) {
            place.file.read(begin + at, bytes, (int) at, (int) Math.min(Chunks.BYTES, bytes.length - at));
        }
        return HostTensors.of(label, type, bytes);
    }

    private Place place(String tensor) {
        Place place = places.get(tensor);
        if (place == null) {
            String dtype = unsupported.get(tensor);
            throw new OpException(
                    "safetensors",
                    name
                            + (dtype == null
                                    ? " has no tensor " + tensor
                                    : ": " + tensor + " cannot be read, since its dtype " + dtype
                                            + " is not supported"));
        }
        return place;
    }

    @Override
    public void close() throws IOException {
        for (ReadableFile file : files) {
            file.close();
        }
    }
}
