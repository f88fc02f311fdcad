package dev.outpost.provider.process.state;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The one process that is a machine. Its number is only believed together with the time of its start.
 *
 * @param pid its number
 * @param birth as {@link ProcessStartTime} tells it
 */
record MachineProcess(long pid, String birth) {
    /** The text in the place of a process that was never started. */
    static final String NONE = "none";

    /** From the two lines that the process wrote of itself; empty where it says {@link #NONE}. */
    static Optional<MachineProcess> parse(String text) {
        String[] lines = text.strip().split("\\R", 2);
        return lines.length < 2
                ? Optional.empty()
                : Optional.of(new MachineProcess(Long.parseLong(lines[0].strip()), lines[1].strip()));
    }

    boolean isAlive() {
        return ProcessStartTime.of(pid).filter(birth::equals).isPresent();
    }

    /** Asks it to end in good order. */
    void terminate() {
        ifAlive(ProcessHandle::destroy);
    }

    void kill() {
        ifAlive(ProcessHandle::destroyForcibly);
    }

    /**
     * Kills what is left of its process group, of which it is the leader. Where it has namespaces of its own, the kernel has done so.
     * Nothing is done once another process has its number, since a group of that number would be the other one's.
     */
    void killGroup() throws IOException {
        if (ProcessStartTime.of(pid).filter(other -> !birth.equals(other)).isEmpty()) {
            new ProcessBuilder("/bin/sh", "-c", "kill -9 -\"$0\"", Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        }
    }

    /** The handle holds on to the process that had the number when it was made, so nothing comes in between. */
    private void ifAlive(Consumer<ProcessHandle> action) {
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        if (isAlive()) {
            handle.ifPresent(action);
        }
    }
}
