package dev.outpost.cli;

import java.util.List;

/** Brings commands of another module; found by {@link java.util.ServiceLoader}. */
public interface CommandProvider {
    /** Objects annotated as picocli's commands. Each takes the place of the command that stands in for it, if there is one. */
    List<Object> commands();
}
