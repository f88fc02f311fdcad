package dev.outpost.runtime.sources.hub;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A repository at a revision.
 *
 * @param name {@code org/name}
 * @param revision a branch, a tag or a commit
 */
record HubRepository(String name, String revision) {
    static final String SCHEME = "hf";

    private static final Pattern FORM =
            Pattern.compile("hf://([A-Za-z0-9][\\w.-]*/[A-Za-z0-9][\\w.-]*)(?:@([A-Za-z0-9][\\w./-]*))?");

    /** Parses {@code hf://org/name} or {@code hf://org/name@revision}. */
    static HubRepository of(String uri) throws IOException {
        Matcher matcher = FORM.matcher(uri);
        if (!matcher.matches() || uri.contains("..")) {
            throw new IOException("open: expected hf://org/name or hf://org/name@revision, got " + uri);
        }
        return new HubRepository(matcher.group(1), matcher.group(2) == null ? "main" : matcher.group(2));
    }
}
