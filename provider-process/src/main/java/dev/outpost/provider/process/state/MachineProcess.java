package dev.outpost.provider.process.state;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The process of a machine. Its id alone is not reliable, because ids are reused, so the start time is compared too.
 *
 * @param pid its process id
 * @param birth its start time, as {@link ProcessStartTime} returns it
 */
record MachineProcess(long pid, String birth) {
    /** The content of the file if the process was never started. */
    static final String NONE = "none";

    /** Parses the two lines that the process wrote about itself; empty for {@link #NONE}. */
    static Optional<MachineProcess> parse(String text) {
        String[] lines = text.strip().split("\\R", 2);
        return lines.length < 2
                ? Optional.empty()
                : Optional.of(new MachineProcess(Long.parseLong(lines[0].strip()), lines[1].strip()));
    }

    boolean isAlive() {
        return ProcessStartTime.of(pid).filter(birth::equals).isPresent();
    }

    /** Requests an orderly end of the process. */
    void terminate() {
        ifAlive(ProcessHandle::destroy);
    }

    void kill() {
        ifAlive(ProcessHandle::destroyForcibly);
    }

    /**
     * Kills the rest of its process group, of which it is the leader. If it had its own namespaces, the kernel has
     * killed the rest already. Does nothing if another process now has its id, because the group would be that
     * process's.
     */
    void killGroup() throws IOException {
        if (ProcessStartTime.of(pid).filter(other -> !birth.equals(other)).isEmpty()) {
            new ProcessBuilder("/bin/sh", "-c", "kill -9 -\"$0\"", Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
    }

    /**
     * Runs an action if the process lives. The handle refers to the process that had the id when the handle was made, so the id cannot
     * be reused in between.
     */
    private void ifAlive(Consumer<ProcessHandle> action) {
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        if (isAlive()) {
            handle.ifPresent(action);
        }
    }
}
