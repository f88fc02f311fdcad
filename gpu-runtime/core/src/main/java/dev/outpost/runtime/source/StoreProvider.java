package dev.outpost.runtime.source;

import java.util.Set;

/** Creates a {@link Store}; found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** Returns the schemes of its URIs, such as {@code file}. */
    Set<String> schemes();

    Store open(SourceSettings settings);
}
