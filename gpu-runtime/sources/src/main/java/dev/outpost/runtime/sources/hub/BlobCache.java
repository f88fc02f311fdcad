package dev.outpost.runtime.sources.hub;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.files.ReadableFile;
import dev.outpost.runtime.source.SourceCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches files of a hub on a volume, by their SHA-256. Blocks of a file are stored as they are read. If a block is
 * being fetched, further readers of it wait. Blocks survive an interruption. A file gets its final name when it is
 * complete and its checksum is right. The least recently used files are deleted to make room.
 *
 * <p>Several runtimes may share a folder. The first one that opens a file fills it; the others read from the hub
 * until it is complete. Thread-safe.
 */
final class BlobCache implements AutoCloseable {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private static final Logger LOG = LoggerFactory.getLogger(BlobCache.class);
    /** The environment variables that configure the cache, named in the warning that it is full. */
    private static final String FOLDER = "OUTPOST_RUNTIME_CACHE_FOLDER";

    private static final String BYTES = "OUTPOST_RUNTIME_CACHE_BYTES";

    private final SourceCache settings;
    private final Consumer<String> warnings;
    /** Incomplete files that this cache fills, by checksum. */
    private final Map<String, PartialBlob> partial = new HashMap<>();

    BlobCache(SourceCache settings) {
        this(settings, LOG::warn);
    }

    /** @param warnings receives a warning if files cannot be kept; the warning names the setting that changes this */
    BlobCache(SourceCache settings, Consumer<String> warnings) {
        this.settings = settings;
        this.warnings = warnings;
    }

    /** True if a version is a SHA-256 that a file can be checked against. */
    static boolean isDigest(String version) {
        return DIGEST.matcher(version).matches();
    }

    /** Opens a file. Its stored blocks are read from the folder, and the others from the origin. */
    synchronized ReadableBytes open(String digest, ReadableBytes origin) throws IOException {
        Path whole = settings.folder().resolve(digest);
        try {
            if (Files.isRegularFile(whole) && Files.size(whole) == origin.size()) {
                Files.setLastModifiedTime(whole, FileTime.from(Instant.now()));
                return ReadableFile.open(whole, origin.name());
            }
            PartialBlob known = partial.get(digest);
            if (known == null && evict(origin.size())) {
                known = PartialBlob.open(settings.folder(), digest, origin.size(), listener(digest))
                        .orElse(null);
            } else if (known == null) {
                warnings.accept(unkept(
                        origin.name(),
                        origin.size() + " bytes do not fit beside those of files on their" + " way into the "
                                + settings.bytes() + " bytes of " + BYTES));
            }
            if (known != null) {
                partial.put(digest, known);
                return known.reading(origin);
            }
        } catch (IOException failure) {
            // A failure of the volume must not prevent the load of a model.
            warnings.accept(unkept(origin.name(), failure.toString()));
            return origin;
        }
        return origin;
    }

    private PartialBlob.Listener listener(String digest) {
        return new PartialBlob.Listener() {
            @Override
            public void done() {
                forget(digest);
            }

            @Override
            public void stuck(String name, IOException why) {
                warnings.accept(
                        unkept(name, why.getMessage() + "; " + settings.bytes() + " bytes are allowed by " + BYTES));
            }
        };
    }

    private String unkept(String name, String why) {
        return name + ": it is not kept in the cache, and read from its origin each time: folder " + settings.folder()
                + " (" + FOLDER + "): " + why;
    }

    private synchronized void forget(String digest) {
        partial.remove(digest);
    }

    /** Deletes files until {@code bytes} more fit. Returns false if they cannot fit. */
    private boolean evict(long bytes) throws IOException {
        Files.createDirectories(settings.folder());
        List<Kept> kept = kept();
        long sum = kept.stream().mapToLong(Kept::bytes).sum()
                + partial.values().stream().mapToLong(PartialBlob::bytes).sum();
        kept.sort(Comparator.comparing(Kept::used));
        for (Kept oldest : kept) {
            if (sum + bytes <= settings.bytes()) {
                break;
            }
            oldest.delete();
            sum -= oldest.bytes();
        }
        return sum + bytes <= settings.bytes();
    }

    /** The files of one checksum, complete or left incomplete; this cache is not downloading them. */
    private record Kept(List<Path> files, long bytes, FileTime used) {
        void delete() throws IOException {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Kept> kept() throws IOException {
        Set<String> digests = new HashSet<>();
        try (Stream<Path> files = Files.list(settings.folder())) {
            files.map(file -> file.getFileName().toString().split("\\.")[0])
                    .filter(name -> isDigest(name) && !partial.containsKey(name))
                    .forEach(digests::add);
        }
        List<Kept> kept = new ArrayList<>();
        for (String digest : digests) {
            List<Path> files = PartialBlob.files(settings.folder(), digest);
            long bytes = 0;
            FileTime used = FileTime.fromMillis(0);
            for (Path file : files) {
                try {
                    bytes += Files.size(file);
                    FileTime changed = Files.getLastModifiedTime(file);
                    used = changed.compareTo(used) > 0 ? changed : used;
                } catch (NoSuchFileException ignored) {
                    // This kind of file does not exist, or another runtime deleted it.
                    continue;
                }
            }
            kept.add(new Kept(files, bytes, used));
        }
        return kept;
    }

    @Override
    public synchronized void close() {
        List.copyOf(partial.values()).forEach(PartialBlob::close);
        partial.clear();
    }
}
