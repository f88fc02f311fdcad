package dev.outpost.backend.faults;

import java.util.ArrayList;
import java.util.List;

/** What happened in a run, in its order. */
record History(List<Happening> happenings) {
    History() {
        this(new ArrayList<>());
    }

    /** Those of one kind. */
    <T extends Happening.What> List<T> all(Class<T> kind) {
        return happenings.stream()
                .map(Happening::what)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The lines of one kind, with their times. */
    List<Happening> lines(Class<? extends Happening.What> kind) {
        return happenings.stream().filter(one -> kind.isInstance(one.what())).toList();
    }
}
