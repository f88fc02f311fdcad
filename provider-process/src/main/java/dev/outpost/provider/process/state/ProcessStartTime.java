package dev.outpost.provider.process.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The start time of a process, as a text that no other process with the same id has ever had, because the kernel reuses ids. The script
 * of {@link dev.outpost.provider.process.launch.ProcessLauncher} writes the same text from inside the process.
 */
final class ProcessStartTime {
    private static final Path PROC = Path.of("/proc");
    private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");
    private static final boolean HAS_PROC = Files.isReadable(PROC.resolve("self/stat"));

    /**
     * The index of the state among the fields of {@code /proc/PID/stat} after the program's name, which may contain blanks and
     * parentheses.
     */
    private static final int STATE = 0;

    private static final int START_TIME = 19;

    private ProcessStartTime() {}

    /** Returns the start time; empty if no such process runs. A zombie does not count as running. */
    static Optional<String> of(long pid) {
        return HAS_PROC ? ofProc(pid) : ofPs(pid);
    }

    private static Optional<String> ofProc(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return List.of("Z", "X").contains(fields[STATE])
                    ? Optional.empty()
                    : Optional.of((fields[START_TIME] + " " + boot()).strip());
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }

    private static String boot() {
        try {
            return Files.readString(BOOT).strip();
        } catch (IOException ignored) {
            return "";
        }
    }

    private static Optional<String> ofPs(long pid) {
        ProcessBuilder builder = new ProcessBuilder("ps", "-o", "lstart=", "-p", Long.toString(pid));
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        try {
            Process ps = builder.start();
            String text = new String(ps.getInputStream().readAllBytes()).strip();
            return ps.waitFor(1, TimeUnit.SECONDS) && !text.isEmpty() ? Optional.of(text) : Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("process: ps does not run, which distinguishes processes", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
