package dev.outpost.runtime.sources.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How the URIs of a scheme name folders and files. */
interface Places {
    Path path(String uri) throws IOException;

    /** The folders that the settings name. */
    List<Path> folders() throws IOException;
}
