package dev.outpost.system.realcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How long the pod of each machine existed, by the folders of logs on the node. The kubelet makes a folder before a container starts, and
 * removes it after the pod is gone, whatever else fails.
 */
final class PodLifetimes implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(200);
    private static final Pattern FOLDER = Pattern.compile("outpost_outpost-([0-9a-f-]{36})-.*");

    private final Path folder;
    private final Map<String, Instant> first = new ConcurrentHashMap<>();
    private final Map<String, Instant> last = new ConcurrentHashMap<>();
    private final Thread thread;

    PodLifetimes(Scripts scripts) {
        this.folder = scripts.home("run/host/var/log/pods");
        this.thread = Thread.ofVirtual().start(this::watch);
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                poll();
                Thread.sleep(EVERY);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void poll() {
        Instant now = Instant.now();
        try (Stream<Path> folders = Files.list(folder)) {
            folders.map(path -> FOLDER.matcher(path.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(found -> found.group(1))
                    .forEach(machine -> {
                        first.putIfAbsent(machine, now);
                        last.put(machine, now);
                    });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Zero for a machine that never had a pod. */
    Duration of(String machine) {
        return first.containsKey(machine) ? Duration.between(first.get(machine), last.get(machine)) : Duration.ZERO;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
