package dev.outpost.runner;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The processes of programs of this tree that tests have started and not ended. */
final class LeftProcesses {
    private static final int SHOWN_CHARS = 120;

    private final String root;
    private final Instant start;

    /** @param start the time after which tests can have started them */
    LeftProcesses(Path root, Instant start) {
        this.root = root + "/";
        this.start = start;
    }

    List<ProcessHandle> find() {
        List<Long> own =
                ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid() && !own.contains(process.pid()))
                .filter(process ->
                        process.info().startInstant().filter(start::isBefore).isPresent())
                .filter(process -> process.info()
                        .commandLine()
                        .filter(command -> command.contains(root))
                        .isPresent())
                .toList();
    }

    /** Names them, so that their tests can be found. They are not ended, because a user may have started one. */
    void print(PrintStream out) {
        List<ProcessHandle> left = find();
        if (left.isEmpty()) {
            return;
        }
        out.println("still running, perhaps left by tests:");
        left.forEach(process -> {
            String command = process.info().commandLine().orElse("");
            out.printf("  %d  %s%n", process.pid(), command.substring(0, Math.min(SHOWN_CHARS, command.length())));
        });
        out.println();
    }
}
