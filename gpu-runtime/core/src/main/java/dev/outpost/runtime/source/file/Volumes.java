package dev.outpost.runtime.source.file;

import dev.outpost.runtime.source.SourceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Folders with names from the settings: {@code volume:models/tiny}. Clients do not see the paths. */
record Volumes(SourceSettings settings) implements Places {
    static final String SCHEME = "volume";

    @Override
    public Path path(String uri) throws IOException {
        String[] parts = uri.substring(SCHEME.length() + 1).split("/", 2);
        Path folder = settings.volumes().get(parts[0]);
        if (folder == null) {
            throw settings.refusal(uri);
        }
        Path path = parts.length == 1 ? folder : folder.resolve(parts[1]);
        if (!path.normalize().startsWith(folder.normalize())) {
            throw new IOException("open: expected volume:NAME/PATH with a path below the volume, got " + uri);
        }
        return path;
    }

    @Override
    public List<Path> folders() {
        return List.copyOf(settings.volumes().values());
    }
}
