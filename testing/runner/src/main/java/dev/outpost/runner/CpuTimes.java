package dev.outpost.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The CPU time of processes. */
final class CpuTimes {
    /** The position of "cutime" after the name of the program; "cstime" follows it. See proc(5). */
    private static final int CUTIME = 13;

    private static final int MILLIS_PER_TICK = 10;

    private CpuTimes() {}

    /** The time of all ended children of this process and of their children; zero without /proc. */
    static Duration ofChildren() throws IOException {
        Path stat = Path.of("/proc/self/stat");
        if (!Files.exists(stat)) {
            return Duration.ZERO;
        }
        String text = Files.readString(stat);
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[CUTIME]) + Long.parseLong(fields[CUTIME + 1]);
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }
}
