package dev.outpost.client;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * One line an event, for people: {@code 0.123s | #0042 | SEND | mock-A100 | Segment | 117B | 12 instructions}. Where
 * {@code OUTPOST_INSTRUCTION_LOG} names a file, every session appends to it.
 */
final class InstructionLog implements AutoCloseable {
    /** Of all sessions of the program, so that lines of several machines are on one clock. */
    private static final long START_NANOS = System.nanoTime();

    private final PrintWriter out;
    private final String machine;
    private int events;

    private InstructionLog(PrintWriter out, String machine) {
        this.out = out;
        this.machine = machine;
    }

    /** The log that the environment asks for, or null. */
    static InstructionLog ofEnvironment(String machine) {
        String file = System.getProperty("outpost.instruction.log", System.getenv("OUTPOST_INSTRUCTION_LOG"));
        if (file == null || file.isBlank()) {
            return null;
        }
        try {
            return new InstructionLog(
                    new PrintWriter(Files.newBufferedWriter(
                            Path.of(file),
                            StandardCharsets.UTF_8,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND)),
                    machine);
        } catch (IOException unwritable) {
            throw new OutpostException(FaultKind.USER, "OUTPOST_INSTRUCTION_LOG: cannot write " + file, unwritable);
        }
    }

    synchronized void event(String direction, String what, long bytes, String detail) {
        double seconds = (System.nanoTime() - START_NANOS) / 1e9;
        out.println(String.format(
                Locale.ROOT,
                "%.3fs | #%04d | %s | %s | %s | %dB | %s",
                seconds,
                ++events,
                direction,
                machine,
                what,
                bytes,
                detail));
    }

    synchronized void flush() {
        out.flush();
    }

    @Override
    public synchronized void close() {
        out.close();
    }
}
