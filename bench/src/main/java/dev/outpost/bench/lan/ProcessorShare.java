package dev.outpost.bench.lan;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A control group of the kernel with a share of a processor for its processes: both an upper limit, and a guarantee when
 * other processes of the host compete. Needs root, and works with both versions of control groups.
 */
record ProcessorShare(Path group, boolean isFirstVersion) implements AutoCloseable {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Path FIRST_VERSION = GROUPS.resolve("cpu");
    private static final Path OF_SECOND_VERSION = GROUPS.resolve("cgroup.controllers");
    private static final String MEMBERS = "cgroup.procs";
    /** The period of the limit: so short that a process that has used its share rests for less than the time of a batch. */
    private static final int PERIOD_MICROS = 10_000;

    /** The weight of the group in version 1, where other groups have 1,024. */
    private static final int SHARES_OF_FIRST_VERSION = 102_400;
    /** The weight of the group in version 2, where other groups have 100. */
    private static final int WEIGHT_OF_SECOND_VERSION = 10_000;

    /** True if this process may create control groups. */
    static boolean canBeMade() {
        return Files.isWritable(FIRST_VERSION) || Files.isRegularFile(OF_SECOND_VERSION) && Files.isWritable(GROUPS);
    }

    /** Creates a group without a limit. */
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

    void add(long process) throws IOException {
        set(MEMBERS, process);
    }

    /** @param processors the most processors of all processes together, such as 0.5 */
    void limit(double processors) throws IOException {
        long micros = Math.round(processors * PERIOD_MICROS);
        if (isFirstVersion) {
            set("cpu.cfs_period_us", PERIOD_MICROS);
            set("cpu.cfs_quota_us", micros);
        } else {
            set("cpu.max", micros + " " + PERIOD_MICROS);
        }
    }

    void unlimit() throws IOException {
        if (isFirstVersion) {
            set("cpu.cfs_quota_us", -1);
        } else {
            set("cpu.max", "max " + PERIOD_MICROS);
        }
    }

    /** Removes groups with a prefix that have no processes any more. */
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

    /** Removes the group. Its processes continue without it. */
    @Override
    public void close() throws IOException {
        Path parent = group.getParent().resolve(MEMBERS);
        for (String process : Files.readAllLines(group.resolve(MEMBERS))) {
            try {
                Files.writeString(parent, process);
            } catch (IOException ignored) {
                // The process ended in the meantime.
            }
        }
        remove(group);
    }
}
