package dev.outpost.runtime.source;

import dev.outpost.protocol.files.Placeholders;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.files.SafetensorsHeader;
import dev.outpost.protocol.files.StoredTensor;
import dev.outpost.protocol.files.TorchCheckpoint;
import dev.outpost.protocol.source.SourceIndex;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** One version of a source. Immutable, so any thread may use it. */
public final class OpenSource {
    /**
     * The maximum size in bytes of a file that is read whole. Tokenizers with large vocabularies have some dozen
     * megabytes.
     */
    public static final long MAX_OF_A_FILE = 64L << 20;

    private static final int MAX_FILES = 10_000;
    private static final int MAX_TENSORS = 200_000;
    /** The number of pickles that are read at the same time. It bounds their memory. */
    private static final int MAX_PICKLES_AT_ONCE = 4;

    private final String uri;
    private final Store store;
    private final Map<String, StoreFile> files;
    /** The tensors by file, for the files whose headers have been read. */
    private final Map<String, Map<String, StoredTensor>> tensors = new LinkedHashMap<>();

    private final List<SourceIndex.Skipped> skipped = new ArrayList<>();
    private final SourceIndex index;

    private OpenSource(String uri, Store store, Map<String, StoreFile> files) throws IOException {
        this.uri = uri;
        this.store = store;
        this.files = files;
        ModelFiles chosen = ModelFiles.choose(uri, files.keySet(), this::read);
        chosen.skipped().forEach((file, reason) -> skipped.add(new SourceIndex.Skipped(file, "", reason)));
        readHeaders(chosen.paths()).forEach((file, header) -> addTensors(chosen, file, header));
        skipped.sort(Comparator.comparing(SourceIndex.Skipped::file).thenComparing(SourceIndex.Skipped::tensor));
        this.index =
                new SourceIndex(uri, version(files.values()), files(files.values()), types(), List.copyOf(skipped));
    }

    static OpenSource open(String uri, Store store) throws IOException {
        List<StoreFile> listed = store.list(uri);
        if (listed.size() > MAX_FILES) {
            throw new IOException(uri + ": a source has at most " + MAX_FILES + " files, got " + listed.size());
        }
        Map<String, StoreFile> files = new LinkedHashMap<>();
        listed.stream().sorted(Comparator.comparing(StoreFile::path)).forEach(file -> files.put(file.path(), file));
        return new OpenSource(uri, store, files);
    }

    public SourceIndex index() {
        return index;
    }

    /** Returns a tensor of the index. */
    public StoredTensor tensor(String file, String name) {
        StoredTensor tensor = tensors.getOrDefault(file, Map.of()).get(name);
        if (tensor == null) {
            throw new IllegalArgumentException(uri + ": there is no tensor " + name + " in " + file);
        }
        return tensor;
    }

    /** Opens a file that was listed. */
    public ReadableBytes open(String path) throws IOException {
        StoreFile file = files.get(path);
        if (file == null) {
            throw new IllegalArgumentException(uri + ": there is no file " + path);
        }
        return store.open(uri, file);
    }

    /** Reads a whole small file. */
    public byte[] read(String path) throws IOException {
        try (ReadableBytes bytes = open(path)) {
            if (bytes.size() > MAX_OF_A_FILE) {
                throw new IOException(uri + ": " + path + " has " + bytes.size() + " bytes, and at most "
                        + MAX_OF_A_FILE + " are read as one");
            }
            byte[] all = bytes.read(0, (int) bytes.size());
            if (!path.endsWith(".html")) {
                Placeholders.require(bytes.name(), all);
            }
            return all;
        }
    }

    /**
     * Reads a part of a file of any size.
     *
     * @param max the number of bytes to read; fewer are returned if the file ends earlier
     */
    public byte[] read(String path, long offset, long max) throws IOException {
        if (max > MAX_OF_A_FILE || max < 0 || offset < 0) {
            throw new IllegalArgumentException(uri + ": " + path + ": expected a part of at most " + MAX_OF_A_FILE
                    + " bytes, got " + max + " bytes from " + offset + " on");
        }
        try (ReadableBytes bytes = open(path)) {
            long from = Math.min(offset, bytes.size());
            return bytes.read(from, (int) Math.min(max, bytes.size() - from));
        }
    }

    // ---- opening

    /** The tensors of a file, and the dtypes of its tensors with unsupported dtypes, by name. */
    private record Header(Map<String, StoredTensor> tensors, Map<String, String> unsupported) {}

    private Map<String, Header> readHeaders(Collection<String> paths) throws IOException {
        Map<String, Future<Header>> reading = new LinkedHashMap<>();
        Semaphore room = new Semaphore(MAX_PICKLES_AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String path : paths) {
                boolean isTorch = !path.endsWith(ModelFiles.SAFETENSORS);
                reading.put(path, threads.submit(() -> isTorch ? readTorch(path, room) : readSafetensors(path)));
            }
            Map<String, Header> headers = new LinkedHashMap<>();
            for (Map.Entry<String, Future<Header>> each : reading.entrySet()) {
                headers.put(each.getKey(), result(each.getValue()));
            }
            return headers;
        }
    }

    private Header readSafetensors(String path) throws IOException {
        try (ReadableBytes bytes = open(path)) {
            SafetensorsHeader header = SafetensorsHeader.read(bytes);
            return new Header(header.tensors(), header.unsupported());
        }
    }

    private Header readTorch(String path, Semaphore room) throws IOException, InterruptedException {
        room.acquire();
        try (ReadableBytes bytes = open(path)) {
            TorchCheckpoint checkpoint = TorchCheckpoint.read(bytes);
            return new Header(checkpoint.tensors(), checkpoint.unsupported());
        } finally {
            room.release();
        }
    }

    private void addTensors(ModelFiles chosen, String file, Header header) {
        Set<String> all = new HashSet<>(header.tensors().keySet());
        all.addAll(header.unsupported().keySet());
        chosen.requireWhole(file, all);
        Map<String, StoredTensor> wanted = new LinkedHashMap<>();
        header.tensors().forEach((name, tensor) -> {
            if (chosen.isWanted(file, name)) {
                wanted.put(name, tensor);
            } else {
                skipped.add(new SourceIndex.Skipped(file, name, "the index does not name it"));
            }
        });
        header.unsupported()
                .forEach((name, dtype) ->
                        skipped.add(new SourceIndex.Skipped(file, name, "dtype " + dtype + " is not supported")));
        tensors.put(file, wanted);
    }

    private static <T> T result(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                default -> throw new IllegalStateException(failure.getCause());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
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

    private List<SourceIndex.Tensor> types() {
        List<SourceIndex.Tensor> types = new ArrayList<>();
        tensors.forEach((file, header) -> header.values()
                .forEach(tensor -> types.add(new SourceIndex.Tensor(file, tensor.name(), tensor.type()))));
        if (types.size() + skipped.size() > MAX_TENSORS) {
            throw new MalformedException(
                    "a source has at most " + MAX_TENSORS + " tensors, got " + (types.size() + skipped.size()));
        }
        return List.copyOf(types);
    }
}
