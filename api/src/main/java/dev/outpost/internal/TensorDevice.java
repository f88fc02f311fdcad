package dev.outpost.internal;

import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.graph.Variable;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Layout;
import java.util.function.Function;

/** The device of a tensor: its machine and the machine's recorder. Tensors can be combined if their devices are the same object. */
public final class TensorDevice {
    /** Creates the tensors that users get, so that the core does not depend on the ops. */
    public interface Factory {
        TensorState tensor(Variable variable, Layout layout);

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

    /** Returns the random numbers of the machine. */
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

    /** Returns the function that creates tensors of new values. It is one shared object, so that recording allocates none. */
    Function<RemoteValue, TensorState> newTensors() {
        return newTensors;
    }

    /** Returns a tensor over a value that it owns. Autograd does not track it. */
    public TensorState over(RemoteValue value) {
        TensorState tensor = over(Cell.over(this, value), value);
        tensor.type = value.type();
        return tensor;
    }

    /** Like {@link #over}, but for a value that has other owners, too. */
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
