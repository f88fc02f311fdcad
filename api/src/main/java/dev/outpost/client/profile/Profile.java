package dev.outpost.client.profile;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The events of a machine's sessions, kept until they are written to a file. The number of events is bounded; those that do not fit are
 * counted.
 */
public final class Profile {
    /**
     * The maximum number of events of the client and its connection; the same limit applies to events of the engine.
     */
    static final int MAX_EVENTS = 1 << 20;

    private final Path file;
    private final int maxEvents;
    private final long startNanos;
    private final List<SessionProfile> sessions = new ArrayList<>();

    private Profile(Path file, int maxEvents) {
        this.file = file;
        this.maxEvents = maxEvents;
        this.startNanos = System.nanoTime();
    }

    /** Makes a profile for a file. Fails at once if the file cannot be written. */
    public static Profile to(Path file) {
        return to(file, MAX_EVENTS);
    }

    static Profile to(Path file, int maxEvents) {
        try {
            Files.newBufferedWriter(file, StandardCharsets.UTF_8).close();
        } catch (IOException failure) {
            throw unwritable(file, failure);
        }
        return new Profile(file, maxEvents);
    }

    /** Adds a session that begins now. */
    public synchronized SessionProfile session(String name) {
        SessionProfile session = new SessionProfile(name, sessions.size(), startNanos, maxEvents);
        sessions.add(session);
        return session;
    }

    /** Writes all events so far, and replaces the former contents of the file. */
    public synchronized void write() {
        List<TraceEvent> events = new ArrayList<>();
        sessions.forEach(session -> session.collect(events));
        String metadata = sessions.stream().map(SessionProfile::metadata).collect(Collectors.joining(","));
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            new TraceFile(out).write(metadata, events);
        } catch (IOException failure) {
            throw unwritable(file, failure);
        }
    }

    private static OutpostException unwritable(Path file, IOException reason) {
        return new OutpostException(FaultKind.USER, "profile: cannot write " + file + ": " + reason, reason);
    }
}
