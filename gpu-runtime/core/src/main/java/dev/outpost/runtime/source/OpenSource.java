package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.files.SafetensorsHeader;
import dev.outpost.protocol.files.ShardIndex;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.protocol.source.SourceIndex;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A source in one version. Immutable, so any thread may use it. */
public final class OpenSource {
    /** The longest file that is read whole: the tokenizers of large vocabularies take some dozen megabytes. */
    public static final long MOST_OF_A_FILE = 64L << 20;

    private static final int MOST_FILES = 10_000;
    private static final int MOST_TENSORS = 200_000;
    static final String SAFETENSORS = ".safetensors";

    private final String uri;
    private final Store store;
    private final Map<String, StoreFile> files;
    private final Map<String, SafetensorsHeader> headers;
    private final SourceIndex index;

    private OpenSource(String uri, Store store, Map<String, StoreFile> files, Map<String, SafetensorsHeader> headers) {
        this.uri = uri;
        this.store = store;
        this.files = files;
        this.headers = headers;
        this.index = new SourceIndex(uri, version(files.values()), files(files.values()), tensors(headers));
    }

    static OpenSource open(String uri, Store store) throws IOException {
        List<StoreFile> listed = store.list(uri);
        if (listed.size() > MOST_FILES) {
            throw new IOException(uri + ": a source has at most " + MOST_FILES + " files, got " + listed.size());
        }
        Map<String, StoreFile> files = new LinkedHashMap<>();
        listed.stream().sorted(Comparator.comparing(StoreFile::path)).forEach(file -> files.put(file.path(), file));
        OpenSource source = new OpenSource(uri, store, files, readHeaders(uri, store, files.values()));
        source.requireWhole();
        return source;
    }

    public SourceIndex index() {
        return index;
    }

    /** A tensor that was indexed. */
    public StoredTensor tensor(String file, String name) {
        SafetensorsHeader header = headers.get(file);
        StoredTensor tensor = header == null ? null : header.tensors().get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(uri + ": there is no tensor " + name + " in " + file);
        }
        return tensor;
    }

    /** A file that was listed. */
    public ReadableBytes open(String path) throws IOException {
        StoreFile file = files.get(path);
        if (file == null) {
            throw new IllegalArgumentException(uri + ": there is no file " + path);
        }
        return store.open(uri, file);
    }

    /** All of a small file. */
    public byte[] read(String path) throws IOException {
        try (ReadableBytes bytes = open(path)) {
            if (bytes.size() > MOST_OF_A_FILE) {
                throw new IOException(uri + ": " + path + " has " + bytes.size() + " bytes, and at most "
                        + MOST_OF_A_FILE + " are read as one");
            }
            return bytes.read(0, (int) bytes.size());
        }
    }

    /**
     * A part of a file, which may be of any size.
     *
     * @param most bytes; fewer where the file ends before
     */
    public byte[] read(String path, long offset, long most) throws IOException {
        if (most > MOST_OF_A_FILE || most < 0 || offset < 0) {
            throw new IllegalArgumentException(uri + ": " + path + ": expected a part of at most " + MOST_OF_A_FILE
                    + " bytes, got " + most + " bytes from " + offset + " on");
        }
        try (ReadableBytes bytes = open(path)) {
            long from = Math.min(offset, bytes.size());
            return bytes.read(from, (int) Math.min(most, bytes.size() - from));
        }
    }

    // ---- opening

    private static Map<String, SafetensorsHeader> readHeaders(String uri, Store store, Collection<StoreFile> files)
            throws IOException {
        Map<String, Future<SafetensorsHeader>> reading = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (StoreFile file : files) {
                if (file.path().endsWith(SAFETENSORS)) {
                    reading.put(file.path(), threads.submit(() -> readHeader(uri, store, file)));
                }
            }
            Map<String, SafetensorsHeader> headers = new LinkedHashMap<>();
            for (Map.Entry<String, Future<SafetensorsHeader>> each : reading.entrySet()) {
                headers.put(each.getKey(), result(each.getValue()));
            }
            return headers;
        }
    }

    private static SafetensorsHeader readHeader(String uri, Store store, StoreFile file) throws IOException {
        try (ReadableBytes bytes = store.open(uri, file)) {
            return SafetensorsHeader.read(bytes);
        }
    }

    private static <T> T result(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                default -> throw new IllegalStateException(failed.getCause());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** A sharded checkpoint has all that its index names: one that is half written does not look whole. */
    private void requireWhole() throws IOException {
        for (StoreFile file : files.values()) {
            if (file.path().endsWith(ShardIndex.SUFFIX)) {
                requireWhole(file.path());
            }
        }
    }

    private void requireWhole(String path) throws IOException {
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        ShardIndex shards = ShardIndex.parse(uri + "/" + path, read(path));
        for (Map.Entry<String, String> entry : shards.fileOfTensor().entrySet()) {
            SafetensorsHeader header = headers.get(folder + entry.getValue());
            if (header == null || !header.tensors().containsKey(entry.getKey())) {
                throw new MalformedException(uri + "/" + path + ": it names " + entry.getKey() + " in "
                        + entry.getValue() + (header == null ? ", and there is no such file" : ", which lacks it"));
            }
        }
    }

    private static String version(Collection<StoreFile> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (StoreFile file : files) {
                String line = file.path() + "\n" + file.bytes() + "\n" + file.version() + "\n";
                digest.update(line.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<SourceIndex.File> files(Collection<StoreFile> files) {
        return files.stream()
                .map(file -> new SourceIndex.File(file.path(), file.bytes()))
                .toList();
    }

    private static List<SourceIndex.Tensor> tensors(Map<String, SafetensorsHeader> headers) {
        List<SourceIndex.Tensor> tensors = new ArrayList<>();
        headers.forEach((file, header) -> header.tensors()
                .values()
                .forEach(tensor -> tensors.add(new SourceIndex.Tensor(file, tensor.name(), tensor.type()))));
        if (tensors.size() > MOST_TENSORS) {
            throw new MalformedException("a source has at most " + MOST_TENSORS + " tensors, got " + tensors.size());
        }
        return List.copyOf(tensors);
    }
}
