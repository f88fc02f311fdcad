package dev.outpost.bench.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The parts that are the same for all programs of Outpost in processes of their own. */
public final class ProgramProcess {
    private ProgramProcess() {}

    /**
     * Reads the lines that a program prints when it starts. Each has a name and a text.
     *
     * @param last the name in the last line
     * @param problem the message if the program ends before that line
     */
    public static Map<String, String> announced(Process process, String last, String problem) throws IOException {
        Map<String, String> said = new HashMap<>();
        BufferedReader lines = process.inputReader();
        while (!said.containsKey(last)) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException(problem);
            }
            String[] words = line.split("\\s+", 2);
            said.put(words[0], words[words.length - 1].strip());
        }
        return said;
    }

    /** Asks a process to end. Kills it if it still runs after that time. */
    public static void end(Process process, Duration timeout) {
        process.destroy();
        try {
            if (process.waitFor(timeout)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly().onExit().join();
    }
}
