package dev.outpost.runtime.source.file;

import dev.outpost.runtime.source.SourceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Absolute paths: {@code file:/models/tiny}. */
record Paths(SourceSettings settings) implements Places {
    static final String SCHEME = "file";

    @Override
    public Path path(String uri) throws IOException {
        String path = uri.substring(SCHEME.length() + 1);
        String absolute = path.startsWith("///") ? path.substring(2) : path;
        if (!absolute.startsWith("/") || absolute.startsWith("//")) {
            throw new IOException("open: expected file:/ and an absolute path, got " + uri);
        }
        return Path.of(absolute);
    }

    @Override
    public List<Path> folders() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String allowed : settings.allowed(SCHEME)) {
            folders.add(path(allowed));
        }
        return folders;
    }
}
