package dev.outpost;

import dev.outpost.client.Recorder;
import dev.outpost.client.RemoteValue;
import java.util.function.Function;

/** Where a tensor lives: its machine, and the recorder of that. Two tensors live together where theirs are the same object. */
final class Home {
    private final RemoteMachine machine;
    private final Recorder recorder;
    private final Function<RemoteValue, Tensor> newTensors = value -> Tensor.over(this, value);

    Home(RemoteMachine machine, Recorder recorder) {
        this.machine = machine;
        this.recorder = recorder;
    }

    RemoteMachine machine() {
        return machine;
    }

    Recorder recorder() {
        return recorder;
    }

    /** Makes tensors of values that were just recorded. One object, so that recording makes none. */
    Function<RemoteValue, Tensor> newTensors() {
        return newTensors;
    }

    @Override
    public String toString() {
        return recorder.name();
    }
}
