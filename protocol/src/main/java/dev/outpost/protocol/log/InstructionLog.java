package dev.outpost.protocol.log;

import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.MessageText;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A file with one line for each event of a session, for people:
 * {@code 0.123s | #0042 | SEND | mock-A100 | Segment | 117B | 12 instructions}. Clients and runtimes write the same format. Lines
 * are buffered until {@link #flush}. Thread-safe.
 */
public final class InstructionLog implements AutoCloseable {
    /** One clock for all logs of this JVM, so that lines of several machines can be compared. */
    private static final long START_NANOS = System.nanoTime();

    /** Null if no file is written. */
    private final @Nullable LogWriter out;

    private final @Nullable BiConsumer<String, String> debug;
    private final String name;
    private final boolean isOwner;
    private int events;

    private InstructionLog(
            @Nullable LogWriter out, @Nullable BiConsumer<String, String> debug, String name, boolean isOwner) {
        this.out = out;
        this.debug = debug;
        this.name = name;
        this.isOwner = isOwner;
    }

    /**
     * Appends to a file, and tells a listener.
     *
     * @param setting the name of the setting that names the file, for errors
     * @param file null or blank to write no file
     * @param name the name of the machine or session in each line
     * @param debug gets the direction of each event and a text, on the thread of the event; null for nothing
     * @return null if neither a file nor a listener is given
     * @throws OutpostException of kind user if the file cannot be written
     */
    public static @Nullable InstructionLog open(
            String setting, @Nullable String file, String name, @Nullable BiConsumer<String, String> debug) {
        if (file == null || file.isBlank()) {
            return debug == null ? null : new InstructionLog(null, debug, name, true);
        }
        try {
            PrintWriter writer = new PrintWriter(Files.newBufferedWriter(
                    Path.of(file), StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
            return new InstructionLog(new LogWriter(writer), debug, name, true);
        } catch (IOException failure) {
            throw new OutpostException(FaultKind.USER, setting + ": cannot write " + file, failure);
        }
    }

    /** Returns a log with another name in the same file. Closing it flushes the file and leaves it open. */
    public InstructionLog named(String other) {
        return new InstructionLog(out, debug, other, false);
    }

    /**
     * Writes a line. The line is formatted and written by another thread, because callers hold locks.
     *
     * @param direction {@code RECORD}, {@code SEND}, {@code RECV}, {@code RUN} or {@code LIFE}
     * @param what the kind of the event, for example {@code Segment}
     * @param bytes the number of bytes sent or received; 0 for other events
     * @param detail the rest of the line
     */
    public synchronized void event(String direction, String what, long bytes, String detail) {
        if (debug != null) {
            String size = bytes == 0 ? "" : " (" + bytes + " bytes)";
            debug.accept(direction, name + " " + direction + " " + what + size + ": " + detail);
        }
        if (out == null) {
            return;
        }
        double seconds = (System.nanoTime() - START_NANOS) / 1e9;
        int number = ++events;
        out.add(() -> String.format(
                Locale.ROOT,
                "%.3fs | #%04d | %s | %s | %s | %dB | %s",
                seconds,
                number,
                direction,
                name,
                what,
                bytes,
                detail));
    }

    /** Writes a line about a sent or received message. */
    public void message(String direction, Message message, long bytes) {
        event(direction, MessageText.name(message), bytes, MessageText.summary(message));
    }

    /** Writes a line about the connection or life of the session, for example a lost connection, and flushes. */
    public void life(String what, String detail) {
        event("LIFE", what, 0, detail);
        flush();
    }

    /** Writes all buffered lines to the file. */
    public void flush() {
        if (out != null) {
            out.flush();
        }
    }

    @Override
    public void close() {
        if (out == null) {
            return;
        }
        if (isOwner) {
            out.close();
        } else {
            out.flush();
        }
    }
}
