package dev.outpost.backend.faults;

import dev.outpost.backend.store.Database;

/** A defect that is put into the backend on purpose, so that a test can see that it is found. */
interface Defect {
    Defect NONE = database -> {};

    void plant(Database database);
}
