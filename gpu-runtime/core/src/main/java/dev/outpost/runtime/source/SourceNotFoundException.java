package dev.outpost.runtime.source;

import java.io.IOException;

/** Thrown if nothing is stored at a URI. */
public final class SourceNotFoundException extends IOException {
    /** @param uri the URI that was requested */
    public SourceNotFoundException(String uri) {
        super("open: there is nothing at " + uri);
    }
}
