package dev.outpost.runtime.source;

import java.util.Set;

/** Brings a {@link Store}; found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** With which its URIs begin, such as {@code file}. */
    Set<String> schemes();

    Store open(SourceSettings settings);
}
