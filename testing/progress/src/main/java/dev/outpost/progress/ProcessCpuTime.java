package dev.outpost.progress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The CPU time that this process has used. */
final class ProcessCpuTime {
    private static final Path STAT = Path.of("/proc/self/stat");
    /** The position of "utime" after the name of the program; "stime", "cutime" and "cstime" follow it. See proc(5). */
    private static final int UTIME = 11;

    private static final int TIMES = 4;
    /** Linux reports hundredths of a second. */
    private static final int MILLIS_PER_TICK = 10;

    private ProcessCpuTime() {}

    /** Returns the time in milliseconds, on Linux including ended children; 0 if it cannot be read. */
    static long millis() {
        try {
            String stat = Files.readString(STAT);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int i = 0; i < TIMES; i++) {
                ticks += Long.parseLong(fields[UTIME + i]);
            }
            return ticks * MILLIS_PER_TICK;
        } catch (IOException ignored) {
            return ProcessHandle.current()
                    .info()
                    .totalCpuDuration()
                    .map(time -> time.toMillis())
                    .orElse(0L);
        }
    }
}
