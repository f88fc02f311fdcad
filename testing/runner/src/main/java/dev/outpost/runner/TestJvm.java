package dev.outpost.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A JVM that runs tests, and the file of its events. */
final class TestJvm {
    private final Path file;
    private final long pid;
    private long read;
    private String module = "";
    private String running = "";
    private boolean hasEnded;

    TestJvm(Path file) {
        this.file = file;
        this.pid = Long.parseLong(file.getFileName().toString().replace(".events", ""));
    }

    /** Returns the complete lines that were appended since the last call, each split into its fields. */
    List<String[]> newEvents() throws IOException {
        byte[] bytes;
        try (var channel = Files.newByteChannel(file)) {
            channel.position(read);
            bytes = new byte[Math.toIntExact(channel.size() - read)];
            channel.read(java.nio.ByteBuffer.wrap(bytes));
        }
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        read += end;
        return Arrays.stream(new String(bytes, 0, end, StandardCharsets.UTF_8).split("\n"))
                .filter(line -> !line.isEmpty())
                .map(line -> line.split("\t", -1))
                .toList();
    }

    boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    void belongsTo(String path) {
        module = path;
    }

    String module() {
        return module;
    }

    void runs(String name) {
        running = name;
    }

    String running() {
        return running;
    }

    void end() {
        hasEnded = true;
    }

    boolean hasEnded() {
        return hasEnded;
    }
}
