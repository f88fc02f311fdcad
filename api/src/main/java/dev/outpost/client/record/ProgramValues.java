package dev.outpost.client.record;

import dev.outpost.types.TensorType;

/** Makes the values of one program that is being traced, and recognizes them. Not thread-safe. */
public final class ProgramValues {
    private final ValueEpoch epoch;

    /** Marks the values of this program as their producer. Records nothing. */
    private final SegmentRecorder mark;

    public ProgramValues(ValueEpoch epoch, ProgramTrace trace) {
        this.epoch = epoch;
        this.mark = new SegmentRecorder(trace);
    }

    /** Makes the value that stands for an input. */
    public RemoteValue input(int index, TensorType type) {
        RemoteValue value = new RemoteValue(epoch, index + 1L, type);
        value.producer = mark;
        value.inputIndex = index;
        return value;
    }

    /** Makes the value that stands for a result of an instruction. */
    public RemoteValue result(int index, TensorType type) {
        RemoteValue value = new RemoteValue(epoch, index + 1L, type);
        value.producer = mark;
        value.inputIndex = Integer.MAX_VALUE;
        value.resultIndex = index;
        return value;
    }

    /** True if the value was made here. */
    public boolean owns(RemoteValue value) {
        return value.producer == mark;
    }

    /** Returns the index of an input; for a result, a number that no input has. */
    public int inputIndex(RemoteValue value) {
        return value.inputIndex;
    }

    public int resultIndex(RemoteValue value) {
        return value.resultIndex;
    }
}
