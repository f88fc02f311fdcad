package dev.outpost.system.machines;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.StoreProvider;
import dev.outpost.runtime.source.WritableBytes;
import dev.outpost.runtime.source.file.FileStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;

/** Files under the scheme {@code held}, for machines in this JVM. A test holds writes of files, and lets them go on. */
public final class HeldStores implements StoreProvider {
    private static final String SCHEME = "held:";
    /** The holds, by the addresses of stores. */
    private static final Map<String, Hold> HOLDS = new ConcurrentHashMap<>();

    /** Holds the writes to one store. */
    public static final class Hold {
        private final Semaphore permits = new Semaphore(1 << 20);

        /** Lets this number of files be written, and holds the next ones. */
        public void begin(int writes) {
            permits.drainPermits();
            permits.release(writes);
        }

        /** Lets all files be written. */
        public void end() {
            permits.release(1 << 20);
        }

        /** Returns true if a write waits. */
        public boolean isHolding() {
            return permits.hasQueuedThreads();
        }

        private void await() throws IOException {
            try {
                permits.acquire();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
        }
    }

    /** Returns the address of a folder in this scheme. */
    public static String uri(Path folder) {
        return SCHEME + folder;
    }

    /** Returns what a machine's option must allow, so that it can open the folder in this scheme. */
    public static String sources(Path folder) {
        return uri(folder) + ",file:" + folder;
    }

    /** Returns the hold on the writes to a folder. */
    public static Hold hold(Path folder) {
        return HOLDS.computeIfAbsent(uri(folder), key -> new Hold());
    }

    @Override
    public Set<String> schemes() {
        return Set.of("held");
    }

    @Override
    public Store open(SourceSettings settings) {
        return new HeldStore(new FileStores().open(settings));
    }

    private static final class HeldStore implements Store {
        private final Store files;

        HeldStore(Store files) {
            this.files = files;
        }

        private static String file(String uri) {
            return "file:" + uri.substring(SCHEME.length());
        }

        @Override
        public List<StoreFile> list(String uri) throws IOException {
            return files.list(file(uri));
        }

        @Override
        public ReadableBytes open(String uri, StoreFile found) throws IOException {
            return files.open(file(uri), found);
        }

        @Override
        public WritableBytes create(String uri, String path) throws IOException {
            HOLDS.computeIfAbsent(uri, key -> new Hold()).await();
            return files.create(file(uri), path);
        }

        @Override
        public void delete(String uri, String path) throws IOException {
            files.delete(file(uri), path);
        }

        @Override
        public void deleteDrafts(String uri, Predicate<String> isWanted) throws IOException {
            files.deleteDrafts(file(uri), isWanted);
        }
    }
}
