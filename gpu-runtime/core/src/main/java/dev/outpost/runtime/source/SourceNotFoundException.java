package dev.outpost.runtime.source;

import java.io.IOException;

/** Nothing is stored at a URI. */
public final class SourceNotFoundException extends IOException {
    /** @param uri what was asked for */
    public SourceNotFoundException(String uri) {
        super("open: there is nothing at " + uri);
    }
}
