package dev.outpost.progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file with one line for each event, with tabs between its fields. The file's name is this JVM's process id; its first line names the
 * module's folder.
 */
final class EventFile {
    private static final int MAX_FIELD_CHARS = 300;

    private final Writer file;

    private EventFile(Writer file) {
        this.file = file;
    }

    static Optional<EventFile> open() {
        String folder = System.getProperty("outpost.test.events", "");
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        try {
            Path path = Path.of(folder, ProcessHandle.current().pid() + ".events");
            EventFile opened = new EventFile(Files.newBufferedWriter(path));
            opened.write("module", System.getProperty("basedir", System.getProperty("user.dir")));
            return Optional.of(opened);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    synchronized void write(String... fields) {
        try {
            for (int i = 0; i < fields.length; i++) {
                file.write(i == 0 ? "" : "\t");
                file.write(oneLine(fields[i]));
            }
            file.write('\n');
            file.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the first line that is not blank, without tabs. */
    private static String oneLine(String text) {
        String line = text.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse("");
        String shortened = line.length() > MAX_FIELD_CHARS ? line.substring(0, MAX_FIELD_CHARS) + "..." : line;
        return shortened.replace('\t', ' ');
    }
}
