package dev.outpost.onnx.pipeline;

import dev.outpost.RemoteMachine;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.internal.TensorDevice;
import dev.outpost.onnx.plan.WorkerSpeed;
import dev.outpost.types.MachineLostException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A machine that may compute stages.
 *
 * @param name the name in plans and error messages
 * @param machine the machine that computes
 * @param host the address at which other machines reach it, if known
 * @param memoryBytes the memory for stages, in bytes
 * @param isOwn true if the pipeline closes the machine
 * @param isSilent returns true if the machine has been silent for so long that it counts as lost
 * @param again returns a new connection to the machine if it can be reached again; may take a second
 * @param whenLeft called when the pipeline does not use the machine any more
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

    /**
     * True if the machine is lost, has ended the session, or is silent. Without a pending read, only this check shows the
     * loss.
     */
    boolean isGone() {
        try {
            return isSilent.getAsBoolean()
                    || TensorDevice.of(machine).recorder() instanceof MachineRecorder recorder && recorder.isOver();
        } catch (MachineLostException lost) {
            return true;
        }
    }

    /** Returns a machine of the caller, with unknown memory. It counts as lost when its session has ended. */
    public static PipelineWorker of(RemoteMachine machine, String name) {
        return new PipelineWorker(
                name,
                machine,
                Optional.empty(),
                WorkerSpeed.UNKNOWN_BYTES,
                false,
                () -> false,
                Optional::empty,
                () -> {});
    }
}
