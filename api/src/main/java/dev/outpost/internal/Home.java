package dev.outpost.internal;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.client.Recorder;
import dev.outpost.client.RemoteValue;
import java.util.function.Function;

/** Where a tensor lives: its machine, and the recorder of that. Two tensors live together where theirs are the same object. */
public final class Home {
    private final RemoteMachine machine;
    private final Recorder recorder;
    private final Function<RemoteValue, Tensor> newTensors = value -> Internals.over(this, value);

    public Home(RemoteMachine machine, Recorder recorder) {
        this.machine = machine;
        this.recorder = recorder;
    }

    public RemoteMachine machine() {
        return machine;
    }

    public Recorder recorder() {
        return recorder;
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
