package dev.outpost.internal;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import java.util.function.Function;

/** Where a tensor lives: its machine, and the recorder of that. Two tensors live together where theirs are the same object. */
public final class TensorDevice {
    private final RemoteMachine machine;
    private final Recorder recorder;
    private final boolean isGroup;
    private final Function<RemoteValue, Tensor> newTensors = value -> Internals.over(this, value);

    public TensorDevice(RemoteMachine machine, Recorder recorder) {
        this.machine = machine;
        this.recorder = recorder;
        this.isGroup = recorder instanceof GroupRecorder;
    }

    public RemoteMachine machine() {
        return machine;
    }

    public Recorder recorder() {
        return recorder;
    }

    /** True if this is a group of machines, on which values have placements. */
    public boolean isGroup() {
        return isGroup;
    }

    /** Makes tensors of values that were just recorded. One object, so that recording makes none. */
    public Function<RemoteValue, Tensor> newTensors() {
        return newTensors;
    }

    @Override
    public String toString() {
        return recorder.name();
    }
}
