package dev.outpost.internal;

import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.graph.Variable;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import java.util.function.Function;

/** Where a tensor lives: its machine, and the recorder of that. Two tensors live together where theirs are the same object. */
public final class TensorDevice {
    /** Makes the tensors that users get, so that the core does not depend on the ops. */
    public interface Factory {
        TensorState tensor(Variable variable, Layout layout);

        /** An array for tensors of this factory. */
        TensorState[] array(int length);

        /** Puts the results of an op on autograd's graph, if any operand is on it and the op has a gradient. */
        void attach(Op op, Operand[] operands, TensorState[] results);
    }

    private final TensorMachine machine;
    private final Recorder recorder;
    private final RandomStream random;
    private final Factory factory;
    private final boolean isGroup;
    private final Function<RemoteValue, TensorState> newTensors = this::over;

    public TensorDevice(TensorMachine machine, Recorder recorder, RandomStream random, Factory factory) {
        this.machine = machine;
        this.recorder = recorder;
        this.random = random;
        this.factory = factory;
        this.isGroup = recorder instanceof GroupRecorder;
    }

    /** Returns the device of the new tensors of a machine. */
    public static TensorDevice of(TensorMachine machine) {
        return machine.home();
    }

    public TensorMachine machine() {
        return machine;
    }

    public Recorder recorder() {
        return recorder;
    }

    /** The random numbers of the machine. */
    public RandomStream random() {
        return random;
    }

    public Factory factory() {
        return factory;
    }

    /** True if this is a group of machines, on which values have placements. */
    public boolean isGroup() {
        return isGroup;
    }

    /** Makes tensors of values that were just recorded. One object, so that recording makes none. */
    Function<RemoteValue, TensorState> newTensors() {
        return newTensors;
    }

    /** A tensor over a value of its own that autograd does not know. */
    public TensorState over(RemoteValue value) {
        TensorState tensor = over(Cell.over(this, value), value);
        tensor.type = value.type();
        return tensor;
    }

    /** As {@link #over}, for a value that something else holds as well. */
    public TensorState sharing(RemoteValue value) {
        return over(Cell.sharing(this, value), value);
    }

    private TensorState over(Cell cell, RemoteValue value) {
        Layout layout = Layout.contiguous(value.type().shape());
        return factory.tensor(new Variable(cell, layout), layout);
    }

    @Override
    public String toString() {
        return recorder.name();
    }
}
