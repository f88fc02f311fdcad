package dev.outpost.metrics;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file of text to which lines are added. */
final class LineFile implements Closeable {
    private final BufferedWriter out;

    private LineFile(Path file) throws IOException {
        out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Replaces a file with these lines at once, and opens it to add more. */
    static LineFile replace(Path file, List<String> lines) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.write(draft, lines);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new LineFile(file);
    }

    /** Adds a line, and hands it to the operating system. */
    void add(String line) throws IOException {
        out.write(line);
        out.write('\n');
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
