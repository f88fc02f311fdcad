package dev.outpost.cli;

import java.util.List;

/** Provides commands of another module; found by {@link java.util.ServiceLoader}. */
public interface CommandProvider {
    /** Returns objects annotated as picocli's commands. Each replaces its stub, if there is one. */
    List<Object> commands();
}
