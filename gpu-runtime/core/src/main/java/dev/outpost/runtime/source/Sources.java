package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.files.ShardIndex;
import dev.outpost.protocol.source.CheckpointMarker;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sources of a runtime. Opened sources are remembered, so that a load does not list its store again. Thread-safe.
 */
public final class Sources implements AutoCloseable {
    /** The maximum number of sources that are remembered. */
    private static final int MAX_KEPT = 64;

    /** The schemes of the stores in the module of remote sources, which a class path may lack. */
    private static final Set<String> REMOTE_SCHEMES = Set.of("s3", "hf");

    private final SourceSettings settings;
    private final Map<String, StoreProvider> providers = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** The stores, by the schemes of their addresses. */
    private final Map<String, Store> stores = new HashMap<>();
    /** Sources by URI, the most recently used one last. */
    private final Map<String, OpenSource> opened = new LinkedHashMap<>(16, 0.75f, true);

    public Sources(SourceSettings settings) {
        this.settings = settings;
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            provider.schemes().forEach(scheme -> providers.put(scheme, provider));
        }
    }

    /** Lists a source, and reads the headers of its files. Waits for the store. */
    public OpenSource open(String uri) throws IOException {
        Store store = store(uri);
        OpenSource found = OpenSource.open(uri, store);
        lock.lock();
        try {
            opened.put(uri, found);
            if (opened.size() > MAX_KEPT) {
                opened.remove(opened.keySet().iterator().next());
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a source in a version that was opened before. Fails if the source has changed since. */
    public OpenSource open(String uri, String version) throws IOException {
        OpenSource known = known(uri);
        if (known != null && known.index().version().equals(version)) {
            return known;
        }
        OpenSource found = open(uri);
        if (!found.index().version().equals(version)) {
            throw new IOException(uri + ": its files have changed since it was opened; open it again");
        }
        return found;
    }

    /** Creates a file. */
    public WritableBytes create(String uri, String path) throws IOException {
        Store store = store(uri);
        return store.create(uri, new StoreFile(path, 0, "").path());
    }

    /**
     * Looks for a file.
     *
     * @param path the path relative to the URI
     * @throws SourceNotFoundException if it does not exist
     */
    public StoreFile file(String uri, String path) throws IOException {
        List<StoreFile> found = store(uri).list(below(uri, path));
        if (found.size() != 1) {
            throw new SourceNotFoundException(below(uri, path));
        }
        return found.getFirst();
    }

    /**
     * Lists the files of a folder and of the folders in it.
     *
     * @param folder the path relative to the URI
     * @throws SourceNotFoundException if there is none
     */
    public List<StoreFile> files(String uri, String folder) throws IOException {
        return store(uri).list(below(uri, folder));
    }

    /** Deletes a file. Succeeds if it is gone already. */
    public void deleteFile(String uri, String path) throws IOException {
        store(uri).delete(uri, new StoreFile(path, 0, "").path());
    }

    /** Deletes the remains of files in a folder that were begun and never committed. */
    public void deleteDrafts(String uri, String folder) throws IOException {
        store(uri).deleteDrafts(below(uri, folder), path -> true);
    }

    /** Opens a file that {@link #file} has found. */
    public ReadableBytes read(String uri, String path, StoreFile found) throws IOException {
        return store(uri).open(below(uri, path), found);
    }

    private static String below(String uri, String path) {
        return (uri.endsWith("/") ? uri : uri + "/") + new StoreFile(path, 0, "").path();
    }

    /**
     * Deletes a checkpoint. The index is deleted first and the marker last, so that a partly deleted checkpoint never looks complete and
     * can be deleted again. Deletes the tensors of its folder, their index and the marker. Other files in or below the folder stay. Refuses
     * a URI without a marker.
     */
    public void delete(String uri) throws IOException {
        Store store = store(uri);
        List<String> paths = new ArrayList<>(store.list(uri).stream()
                .map(StoreFile::path)
                .filter(CheckpointMarker::isOwn)
                .toList());
        if (!paths.remove(CheckpointMarker.FILE)) {
            throw new OutpostException(
                    FaultKind.USER,
                    FaultCode.NOT_FOUND,
                    "delete: there is no checkpoint at " + uri + ", since it has no " + CheckpointMarker.FILE,
                    null);
        }
        paths.sort(Comparator.comparing((String path) -> !path.endsWith(ShardIndex.SUFFIX))
                .thenComparing(path -> !path.endsWith(ModelFiles.SAFETENSORS))
                .thenComparing(Comparator.naturalOrder()));
        for (String path : paths) {
            store.delete(uri, path);
        }
        store.deleteDrafts(uri, CheckpointMarker::isOwn);
        store.delete(uri, CheckpointMarker.FILE);
    }

    boolean hasTensors(String uri) throws IOException {
        Store store = store(uri);
        try {
            return store.list(uri).stream().anyMatch(file -> file.path().endsWith(ModelFiles.SAFETENSORS));
        } catch (SourceNotFoundException ignored) {
            return false;
        }
    }

    private OpenSource known(String uri) {
        lock.lock();
        try {
            return opened.get(uri);
        } finally {
            lock.unlock();
        }
    }

    private Store store(String uri) {
        String scheme = uri.substring(0, Math.max(0, uri.indexOf(':')));
        if (!settings.allowed().isEmpty() && !providers.containsKey(scheme)) {
            throw unknownScheme(scheme, uri);
        }
        settings.require(uri);
        lock.lock();
        try {
            return stores.computeIfAbsent(scheme, key -> providers.get(key).open(settings));
        } finally {
            lock.unlock();
        }
    }

    private OutpostException unknownScheme(String scheme, String uri) {
        String known = String.join(", ", new TreeSet<>(providers.keySet()));
        String text = REMOTE_SCHEMES.contains(scheme)
                ? "open: " + uri
                        + " needs dev.outpost:outpost-runtime-sources on the class path of the machine; without it, the machine "
                        + "opens only URIs with one of these schemes: " + known
                : "open: expected a URI with one of these schemes: " + known + "; got \"" + uri + "\"";
        return new OutpostException(FaultKind.USER, text);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            new java.util.HashSet<>(stores.values()).forEach(Store::close);
            stores.clear();
            opened.clear();
        } finally {
            lock.unlock();
        }
    }
}
