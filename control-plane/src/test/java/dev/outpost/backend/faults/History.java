package dev.outpost.backend.faults;

import java.util.ArrayList;
import java.util.List;

/** The recorded lines of a run, in order. */
record History(List<Happening> happenings) {
    History() {
        this(new ArrayList<>());
    }

    /** The lines of one kind. */
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
