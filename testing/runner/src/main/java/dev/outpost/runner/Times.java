package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The duration of the last run of each test class and of the last whole run, in milliseconds. Runs of chosen tests do not change the
 * latter.
 */
final class Times {
    /** The key of the whole run, which no class has as its name. */
    private static final String WHOLE_RUN = "whole run";

    private final Path file;
    private final Map<String, Long> last;
    private final Map<String, Long> now = new HashMap<>();

    private Times(Path file, Map<String, Long> last) {
        this.file = file;
        this.last = last;
    }

    static Times read(Path file) throws IOException {
        Map<String, Long> last = new TreeMap<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split("\t");
                last.put(fields[0], Long.parseLong(fields[1]));
            }
        }
        return new Times(file, last);
    }

    void putClass(String name, long millis) {
        now.put(name, millis);
    }

    void putWholeRun(long millis) {
        now.put(WHOLE_RUN, millis);
    }

    Map<String, Long> classesNow() {
        Map<String, Long> classes = new TreeMap<>(now);
        classes.remove(WHOLE_RUN);
        return classes;
    }

    /** Returns the time that a whole run still needs, by the remaining share of the last run's class time. */
    Optional<Duration> remaining() {
        long whole = last.getOrDefault(WHOLE_RUN, 0L);
        long classes = last.values().stream().mapToLong(Long::longValue).sum() - whole;
        if (whole == 0 || classes <= 0) {
            return Optional.empty();
        }
        long ended = now.keySet().stream()
                .mapToLong(name -> last.getOrDefault(name, 0L))
                .sum();
        return Optional.of(Duration.ofMillis(Math.max(0, whole * (classes - ended) / classes)));
    }

    void save() throws IOException {
        Map<String, Long> all = new TreeMap<>(last);
        all.putAll(now);
        Files.writeString(
                file,
                all.entrySet().stream()
                        .map(time -> time.getKey() + "\t" + time.getValue() + "\n")
                        .collect(Collectors.joining()));
    }
}
