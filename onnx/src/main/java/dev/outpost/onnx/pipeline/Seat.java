package dev.outpost.onnx.pipeline;

import dev.outpost.RemoteMachine;

/**
 * A machine that may compute stages.
 *
 * @param name what plans and errors call it
 * @param machine where it computes
 * @param memoryBytes what stages may take there
 * @param isOwn whether the pipeline closes the machine
 */
public record Seat(String name, RemoteMachine machine, long memoryBytes, boolean isOwn) {
    /** A machine of the caller's, whose memory is not known. */
    public static Seat of(RemoteMachine machine, String name) {
        return new Seat(name, machine, Long.MAX_VALUE / 4, false);
    }
}
