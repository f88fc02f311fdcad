package dev.outpost.client.record;

/** Whose values are recorded: one machine, or a group of machines. Two are the same where they are the same object. */
public interface RecordingOwner {
    /** The name in errors. */
    String name();
}
