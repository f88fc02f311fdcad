package dev.outpost.cli;

import java.util.List;

/** Provides commands of another module; found by {@link java.util.ServiceLoader}. */
public interface CommandProvider {
    /** Returns objects with picocli's {@code Command} annotation. A command replaces the entry of the launcher with the same name. */
    List<Object> commands();
}
