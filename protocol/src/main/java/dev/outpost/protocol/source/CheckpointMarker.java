package dev.outpost.protocol.source;

/** The file by which a place is known as a checkpoint. Only such a place may be deleted: models that others put there may not. */
public final class CheckpointMarker {
    public static final String FILE = "checkpoint.json";

    private CheckpointMarker() {}
}
