package dev.outpost.bench.lan;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A control group of the kernel in which processes run, and the part of a processor that they get: at most so much, and that much even
 * where other processes of the host want it. Needs root and either version of the kernel's control groups.
 */
record ProcessorShare(Path group, boolean isFirstVersion) implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Path FIRST_VERSION = GROUPS.resolve("cpu");
    private static final Path OF_SECOND_VERSION = GROUPS.resolve("cgroup.controllers");
    private static final String MEMBERS = "cgroup.procs";
    /** Short, so that a process that has had its part rests for less than a batch takes. */
    private static final int PERIOD_MICROS = 10_000;

    /** Of a group beside others that have 1,024. */
    private static final int SHARES_OF_FIRST_VERSION = 102_400;
    /** Of a group beside others that have 100. */
    private static final int WEIGHT_OF_SECOND_VERSION = 10_000;

    /** Whether this process may make control groups. */
    static boolean canBeMade() {
        return Files.isWritable(FIRST_VERSION) || Files.isRegularFile(OF_SECOND_VERSION) && Files.isWritable(GROUPS);
    }

    /** A group without a limit. */
    static ProcessorShare open(String name) throws IOException {
        boolean isFirstVersion = Files.isDirectory(FIRST_VERSION);
        if (!isFirstVersion) {
            Files.writeString(GROUPS.resolve("cgroup.subtree_control"), "+cpu");
        }
        Path group = Files.createDirectories((isFirstVersion ? FIRST_VERSION : GROUPS).resolve(name));
        ProcessorShare share = new ProcessorShare(group, isFirstVersion);
        if (isFirstVersion) {
            share.set("cpu.shares", SHARES_OF_FIRST_VERSION);
        } else {
            share.set("cpu.weight", WEIGHT_OF_SECOND_VERSION);
        }
        return share;
    }

    private void set(String setting, Object value) throws IOException {
        Files.writeString(group.resolve(setting), value.toString());
    }

    /** Has a process run in the group. */
    void add(long process) throws IOException {
        set(MEMBERS, process);
    }

    /** @param processors that the processes get together at most, such as 0.5 */
    void limit(double processors) throws IOException {
        long micros = Math.round(processors * PERIOD_MICROS);
        if (isFirstVersion) {
            set("cpu.cfs_period_us", PERIOD_MICROS);
            set("cpu.cfs_quota_us", micros);
        } else {
            set("cpu.max", micros + " " + PERIOD_MICROS);
        }
    }

    /** Takes the limit away. */
    void unlimit() throws IOException {
        if (isFirstVersion) {
            set("cpu.cfs_quota_us", -1);
        } else {
            set("cpu.max", "max " + PERIOD_MICROS);
        }
    }

    /** Removes groups of a prefix that hold no process any more. */
    static void removeAll(String prefix) throws IOException {
        Path parent = Files.isDirectory(FIRST_VERSION) ? FIRST_VERSION : GROUPS;
        if (!canBeMade()) {
            return;
        }
        try (Stream<Path> groups = Files.list(parent)) {
            for (Path group : groups.filter(
                            each -> each.getFileName().toString().startsWith(prefix))
                    .toList()) {
                remove(group);
            }
        }
    }

    private static void remove(Path group) throws IOException {
        try {
            Files.deleteIfExists(group);
        } catch (FileSystemException failure) {
            throw new IOException("lan: the control group " + group + " still has processes", failure);
        }
    }

    /** Its processes run as if it had never been. */
    @Override
    public void close() throws IOException {
        Path parent = group.getParent().resolve(MEMBERS);
        for (String process : Files.readAllLines(group.resolve(MEMBERS))) {
            try {
                Files.writeString(parent, process);
            } catch (IOException ignored) {
                // It ended in the meantime.
            }
        }
        remove(group);
    }
}
