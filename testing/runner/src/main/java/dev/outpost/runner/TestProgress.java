package dev.outpost.runner;

import dev.outpost.runner.Times.ClassTime;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Follows the events of the test JVMs and prints them: modules as they start and end, failures at once, and a running count. */
final class TestProgress {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(30);
    private static final Duration BETWEEN_STATUS = Duration.ofSeconds(1);
    private static final int SLOWEST = 30;

    private final Path root;
    private final Path events;
    private final Times times;
    private final boolean isWhole;
    private final PrintStream out;
    private final boolean isTerminal;
    private final long start = System.nanoTime();
    private final Map<Path, TestJvm> jvms = new LinkedHashMap<>();
    private final Map<String, ModuleProgress> modules = new TreeMap<>();
    private long tests;
    private int failures;
    private long lastStatus = start;
    private int statusWidth;

    TestProgress(Path root, Path events, Times times, boolean isWhole, PrintStream out, boolean isTerminal) {
        this.root = root;
        this.events = events;
        this.times = times;
        this.isWhole = isWhole;
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /** Prints the new events. */
    void update() throws IOException {
        for (Path file : eventFiles()) {
            jvms.computeIfAbsent(file, TestJvm::new);
        }
        for (TestJvm jvm : jvms.values()) {
            boolean hasEnded = !jvm.isAlive();
            for (String[] event : jvm.newEvents()) {
                accept(jvm, event);
            }
            if (hasEnded && !jvm.hasEnded()) {
                jvm.end();
                endModule(jvm.module());
            }
        }
        printStatus();
    }

    /** Prints the end of all modules that have started. */
    void finish() throws IOException {
        update();
        if (isWhole) {
            times.putWholeRun(elapsed().toMillis());
        }
        clearStatus();
        out.printf("%s wall time, %s CPU time%n", text(elapsed()), text(CpuTimes.ofChildren()));
    }

    private List<Path> eventFiles() throws IOException {
        try (Stream<Path> files = Files.list(events)) {
            return files.sorted().toList();
        }
    }

    private void accept(TestJvm jvm, String[] event) {
        switch (event[0]) {
            case "module" -> startModule(jvm, event[1]);
            case "start" -> jvm.runs(event[1]);
            case "class" -> acceptClass(jvm, event);
            case "test" -> acceptTest(jvm, event);
            default -> throw new IllegalStateException("unknown event " + String.join(" ", event));
        }
    }

    private void startModule(TestJvm jvm, String folder) {
        String module = root.relativize(Path.of(folder)).toString();
        jvm.belongsTo(module);
        if (!modules.containsKey(module)) {
            modules.put(module, new ModuleProgress(module, System.nanoTime()));
            print(module + "  starts");
        }
    }

    private void endModule(String module) {
        boolean runs = jvms.values().stream().anyMatch(jvm -> !jvm.hasEnded() && module.equals(jvm.module()));
        ModuleProgress ended = modules.get(module);
        if (!runs && ended != null) {
            print(ended.line(System.nanoTime()));
        }
    }

    private void acceptClass(TestJvm jvm, String[] event) {
        ClassTime time = new ClassTime(Long.parseLong(event[2]), Long.parseLong(event[3]));
        times.putClass(event[1], time);
        modules.get(jvm.module()).addCpu(time.cpuMillis());
    }

    private void acceptTest(TestJvm jvm, String[] event) {
        tests++;
        modules.get(jvm.module()).count(event[1]);
        if (event[1].equals("failed")) {
            String name = event[2].substring(event[2].lastIndexOf('.') + 1);
            String method = event[3].replaceFirst("[ (\\[].*", "");
            failures++;
            print("FAILED  " + jvm.module() + "  " + name + (event[3].isEmpty() ? "" : "." + event[3]) + "\n        "
                    + (event.length > 4 ? event[4] : "no message") + "\n        alone: ./outpost test "
                    + name.replaceFirst("\\$.*", "")
                    + (method.isEmpty() ? "" : "." + method));
        }
    }

    /** Returns true if a test JVM has started. */
    boolean hasStarted() {
        return !jvms.isEmpty();
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    // ---- the running count

    private void printStatus() {
        Duration between = isTerminal ? BETWEEN_STATUS : BETWEEN_LINES;
        long now = System.nanoTime();
        if (now - lastStatus < between.toNanos()) {
            return;
        }
        lastStatus = now;
        String status = status();
        if (isTerminal) {
            clearStatus();
            out.print(status);
            out.flush();
            statusWidth = status.length();
        } else {
            out.println(status);
        }
    }

    private String status() {
        String running = jvms.values().stream()
                .filter(jvm -> !jvm.hasEnded() && !jvm.running().isEmpty())
                .map(jvm -> jvm.running().substring(jvm.running().lastIndexOf('.') + 1))
                .collect(Collectors.joining(", "));
        String remaining = isWhole
                ? times.remaining()
                        .map(time -> ", about " + text(time) + " left")
                        .orElse("")
                : "";
        return "[%s] %,d tests, %d failed%s%s"
                .formatted(
                        text(elapsed()), tests, failures, remaining, running.isEmpty() ? ", building" : "; " + running);
    }

    private void clearStatus() {
        if (statusWidth > 0) {
            out.print("\r" + " ".repeat(statusWidth) + "\r");
            statusWidth = 0;
        }
    }

    private void print(String line) {
        clearStatus();
        out.println(line);
    }

    void printSlowest() {
        Map<String, ClassTime> classes = times.classesNow();
        if (classes.isEmpty()) {
            return;
        }
        printMost("the slowest classes:", classes, ClassTime::wallMillis);
        printMost(
                "the classes with the most CPU time, without processes that outlive them:",
                classes,
                ClassTime::cpuMillis);
    }

    private void printMost(String title, Map<String, ClassTime> classes, ToLongFunction<ClassTime> millis) {
        out.println(title);
        classes.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparingLong(millis).reversed()))
                .limit(SLOWEST)
                .forEach(most ->
                        out.printf("  %6.1f s  %s%n", millis.applyAsLong(most.getValue()) / 1000.0, most.getKey()));
        out.println();
    }

    private static String text(Duration time) {
        return "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
