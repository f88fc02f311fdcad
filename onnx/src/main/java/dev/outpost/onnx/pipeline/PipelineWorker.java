package dev.outpost.onnx.pipeline;

import dev.outpost.RemoteMachine;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.internal.TensorDevice;
import dev.outpost.types.MachineLostException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A machine that may compute stages.
 *
 * @param name what plans and errors call it
 * @param machine where it computes
 * @param host where the other machines find it, where that is known
 * @param memoryBytes what stages may take there
 * @param isOwn whether the pipeline closes the machine
 * @param isSilent whether nothing was heard of it for so long that it counts as lost
 * @param again the machine anew, where it is there again after it was lost; asks, and may take a second
 * @param whenLeft called when the pipeline does not use it any more
 */
public record PipelineWorker(
        String name,
        RemoteMachine machine,
        Optional<String> host,
        long memoryBytes,
        boolean isOwn,
        BooleanSupplier isSilent,
        Supplier<Optional<PipelineWorker>> again,
        Runnable whenLeft) {

    /** Whether the machine is lost, has ended the session, or counts as lost. A worker that nothing is read from does not say so otherwise. */
    boolean isGone() {
        try {
            return isSilent.getAsBoolean()
                    || TensorDevice.of(machine).recorder() instanceof MachineRecorder recorder && recorder.isOver();
        } catch (MachineLostException lost) {
            return true;
        }
    }

    /** A machine of the caller's, whose memory is not known, and of whose loss only its session tells. */
    public static PipelineWorker of(RemoteMachine machine, String name) {
        return new PipelineWorker(
                name, machine, Optional.empty(), Long.MAX_VALUE / 4, false, () -> false, Optional::empty, () -> {});
    }
}
