package dev.outpost.runtime.source;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;

/** Stores in memory, for tests. Writes wait while a test holds them, and fail after as many steps as a test allows. */
public final class MemoryStores implements StoreProvider {
    private static final Map<String, MemoryStores.Content> CONTENTS = new ConcurrentHashMap<>();

    /** The files of one URI. */
    public static final class Content {
        public final Map<String, byte[]> files = new ConcurrentSkipListMap<>();
        private volatile Semaphore permits = new Semaphore(1 << 20);
        private volatile int stepsLeft = Integer.MAX_VALUE;

        /** Lets this number of files be written, and holds the next ones. */
        public void hold(int writes) {
            permits = new Semaphore(writes);
        }

        /** Lets more files be written. */
        public void allow(int writes) {
            permits.release(writes);
        }

        /** Returns true if a write is held. */
        public boolean isHolding() {
            return permits.hasQueuedThreads();
        }

        /** Lets this number of writes and deletions succeed, and fails the next ones, as after a crash. */
        public void failAfter(int steps) {
            stepsLeft = steps;
        }

        private synchronized void step() throws IOException {
            if (stepsLeft == 0) {
                throw new IOException("the store is gone");
            }
            stepsLeft--;
        }

        private void write(String path, byte[] content) throws IOException {
            try {
                permits.acquire();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", interrupted);
            }
            step();
            files.put(path, content);
        }
    }

    /** Returns the files of a URI, such as {@code memory:name}. */
    public static Content content(String uri) {
        return CONTENTS.computeIfAbsent(uri, key -> new Content());
    }

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Store open(SourceSettings settings) {
        return new MemoryStore();
    }

    private static final class MemoryStore implements Store {
        private static Content of(String uri) {
            int end = uri.indexOf('/');
            return content(end < 0 ? uri : uri.substring(0, end));
        }

        private static String path(String uri) {
            int end = uri.indexOf('/');
            return end < 0 ? "" : uri.substring(end + 1);
        }

        @Override
        public List<StoreFile> list(String uri) throws IOException {
            String path = path(uri);
            List<StoreFile> found = new ArrayList<>();
            of(uri).files.forEach((name, content) -> {
                if (name.equals(path)) {
                    found.add(new StoreFile(path.substring(path.lastIndexOf('/') + 1), content.length, "1"));
                } else if (path.isEmpty() || name.startsWith(path + "/")) {
                    found.add(new StoreFile(
                            path.isEmpty() ? name : name.substring(path.length() + 1), content.length, "1"));
                }
            });
            if (found.isEmpty()) {
                throw new SourceNotFoundException(uri);
            }
            return found;
        }

        @Override
        public ReadableBytes open(String uri, StoreFile file) throws IOException {
            byte[] content = of(uri).files.get(path(uri));
            if (content == null) {
                throw new SourceNotFoundException(uri);
            }
            return new MemoryFile(uri, content);
        }

        @Override
        public WritableBytes create(String uri, String path) {
            Content content = of(uri);
            String below = path(uri).isEmpty() ? path : path(uri) + "/" + path;
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            return new WritableBytes() {
                @Override
                public void write(byte[] more) {
                    bytes.writeBytes(more);
                }

                @Override
                public void commit() throws IOException {
                    content.write(below, bytes.toByteArray());
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void delete(String uri, String path) throws IOException {
            of(uri).step();
            of(uri).files.remove(path(uri).isEmpty() ? path : path(uri) + "/" + path);
        }
    }

    private record MemoryFile(String name, byte[] content) implements ReadableBytes {
        @Override
        public long size() {
            return content.length;
        }

        @Override
        public void read(long position, byte[] target, int at, int length) {
            System.arraycopy(content, (int) position, target, at, length);
        }
    }
}
