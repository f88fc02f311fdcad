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
 * The wall time and the CPU time of the last run of each test class, and the wall time of the last whole run, in milliseconds. Runs of
 * chosen tests do not change the latter.
 */
final class Times {
    /** The key of the whole run, which no class has as its name. */
    private static final String WHOLE_RUN = "whole run";

    /**
     * The times of a class.
     *
     * @param cpuMillis the time of its JVM and of the processes that have ended meanwhile
     */
    record ClassTime(long wallMillis, long cpuMillis) {
        static ClassTime parse(String[] fields) {
            return new ClassTime(Long.parseLong(fields[1]), fields.length > 2 ? Long.parseLong(fields[2]) : 0);
        }
    }

    private final Path file;
    private final Map<String, ClassTime> last;
    private final Map<String, ClassTime> now = new HashMap<>();

    private Times(Path file, Map<String, ClassTime> last) {
        this.file = file;
        this.last = last;
    }

    static Times read(Path file) throws IOException {
        Map<String, ClassTime> last = new TreeMap<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split("\t");
                last.put(fields[0], ClassTime.parse(fields));
            }
        }
        return new Times(file, last);
    }

    void putClass(String name, ClassTime time) {
        now.put(name, time);
    }

    void putWholeRun(long millis) {
        now.put(WHOLE_RUN, new ClassTime(millis, 0));
    }

    Map<String, ClassTime> classesNow() {
        Map<String, ClassTime> classes = new TreeMap<>(now);
        classes.remove(WHOLE_RUN);
        return classes;
    }

    /** Returns the time that a whole run still needs, by the remaining share of the last run's class time. */
    Optional<Duration> remaining() {
        long whole = lastMillis(WHOLE_RUN);
        long classes = last.values().stream().mapToLong(ClassTime::wallMillis).sum() - whole;
        if (whole == 0 || classes <= 0) {
            return Optional.empty();
        }
        long ended = now.keySet().stream().mapToLong(this::lastMillis).sum();
        return Optional.of(Duration.ofMillis(Math.max(0, whole * (classes - ended) / classes)));
    }

    private long lastMillis(String name) {
        return last.getOrDefault(name, new ClassTime(0, 0)).wallMillis();
    }

    void save() throws IOException {
        Map<String, ClassTime> all = new TreeMap<>(last);
        all.putAll(now);
        Files.writeString(
                file,
                all.entrySet().stream()
                        .map(time -> time.getKey() + "\t" + time.getValue().wallMillis() + "\t"
                                + time.getValue().cpuMillis() + "\n")
                        .collect(Collectors.joining()));
    }
}
