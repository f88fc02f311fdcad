package dev.outpost.onnx.pipeline;

import dev.outpost.RemoteMachine;
import java.util.function.BooleanSupplier;

/**
 * A machine that may compute stages.
 *
 * @param name what plans and errors call it
 * @param machine where it computes
 * @param memoryBytes what stages may take there
 * @param isOwn whether the pipeline closes the machine
 * @param isSilent whether nothing was heard of it for so long that it counts as lost
 * @param whenLeft called when the pipeline does not use it any more
 */
public record Seat(
        String name,
        RemoteMachine machine,
        long memoryBytes,
        boolean isOwn,
        BooleanSupplier isSilent,
        Runnable whenLeft) {

    /** A machine of the caller's, whose memory is not known, and of whose loss only its session tells. */
    public static Seat of(RemoteMachine machine, String name) {
        return new Seat(name, machine, Long.MAX_VALUE / 4, false, () -> false, () -> {});
    }
}
