package dev.outpost.protocol.source;

import dev.outpost.protocol.files.ShardIndex;

/** The file by which a place is known as a checkpoint. Only such a place may be deleted: models that others put there may not. */
public final class CheckpointMarker {
    public static final String FILE = "checkpoint.json";

    private CheckpointMarker() {}

    /** Whether a checkpoint is what has a file, by its path within the place: tensors, their index and the marker, in no folder of it. */
    public static boolean isOwn(String path) {
        return path.equals(FILE)
                || path.indexOf('/') < 0 && (path.endsWith(".safetensors") || path.endsWith(ShardIndex.SUFFIX));
    }
}
