package dev.outpost.protocol.source;

import dev.outpost.protocol.files.ShardIndex;

/**
 * The file that marks a folder of a source as a checkpoint. Only a marked folder may be deleted, so that models of
 * other origin are safe.
 */
public final class CheckpointMarker {
    public static final String FILE = "checkpoint.json";

    private CheckpointMarker() {}

    /**
     * Returns true if a file belongs to a checkpoint: tensors, their index and the marker, directly in the checkpoint's folder. The
     * path is relative to that folder.
     */
    public static boolean isOwn(String path) {
        return path.equals(FILE)
                || path.indexOf('/') < 0 && (path.endsWith(".safetensors") || path.endsWith(ShardIndex.SUFFIX));
    }
}
