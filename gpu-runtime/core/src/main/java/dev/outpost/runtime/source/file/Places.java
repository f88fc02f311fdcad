package dev.outpost.runtime.source.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Maps the URIs of a scheme to folders and files. */
interface Places {
    Path path(String uri) throws IOException;

    /** Returns the folders in the settings. */
    List<Path> folders() throws IOException;
}
