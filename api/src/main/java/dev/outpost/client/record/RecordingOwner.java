package dev.outpost.client.record;

/** The owner of recorded values: one machine, or a group of machines. Owners are compared by identity. */
public interface RecordingOwner {
    /** Returns the name in errors. */
    String name();
}
