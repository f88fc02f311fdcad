package dev.outpost.house.source;

import java.net.URI;
import java.nio.file.Path;
import javax.tools.SimpleJavaFileObject;

/** A source in memory, as javac takes it. */
public final class InMemorySource extends SimpleJavaFileObject {
    private final String path;
    private final String text;

    /**
     * A source.
     *
     * @param path relative to the root, with slashes
     */
    public InMemorySource(String path, String text) {
        super(uri(path), Kind.SOURCE);
        this.path = path;
        this.text = text;
    }

    private static URI uri(String path) {
        return Path.of("/" + path).toUri();
    }

    /** Returns its path, relative to the root. */
    public String path() {
        return path;
    }

    /** Returns its characters. */
    public String text() {
        return text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoresEncodingErrors) {
        return text;
    }
}
