package dev.outpost;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.StoredOperand;
import dev.outpost.client.session.SessionRecorder;
import dev.outpost.internal.Cell;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.protocol.message.KeptValue;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tensors of a machine that the program keeps by name. Thread-safe. */
final class KeptTensors {
    private static final int MAX_NAME = 200;

    private final RemoteMachine machine;
    private final TensorDevice device;
    private final SessionRecorder recorder;
    private final SequencedMap<String, Tensor> byName = new TreeMap<>();
    /** The storages of the values that another process has kept, while they are taken over. */
    private final Map<RemoteValue, Cell> cells = new HashMap<>();

    KeptTensors(RemoteMachine machine, TensorDevice device, SessionRecorder recorder) {
        this.machine = machine;
        this.device = device;
        this.recorder = recorder;
    }

    synchronized void keep(String name, Tensor tensor) {
        require(name);
        if (tensor.machine() != machine) {
            throw new OutpostException(
                    FaultKind.USER,
                    "keep: " + name + " is on another machine, got "
                            + tensor.machine().name() + " for " + machine.name());
        }
        BatchLevel.requireValue("keep", tensor);
        if (!tensor.isLeaf()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "keep: " + name + " was computed by an op that autograd has recorded, and the graph is not kept;"
                            + " keep tensor.detach()");
        }
        // The tensor of its own keeps the storage open after the program has closed its tensor.
        Tensor own = machine.unscoped(() -> States.another(tensor));
        recorder.keep(name, new StoredOperand(States.cell(own), States.layout(own)), tensor.requiresGrad());
        close(byName.put(name, own));
    }

    private static void require(String name) {
        if (name.isBlank() || name.length() > MAX_NAME) {
            throw new OutpostException(
                    FaultKind.USER, "keep: expected a name of 1 to " + MAX_NAME + " characters, got \"" + name + '"');
        }
    }

    private static void close(@Nullable Tensor before) {
        if (before != null) {
            before.close();
        }
    }

    synchronized void forget(String name) {
        Tensor before = byName.remove(name);
        if (before != null) {
            recorder.forget(name);
            before.close();
        }
    }

    synchronized Tensor get(String name) {
        Tensor kept = byName.get(name);
        if (kept == null) {
            throw new OutpostException(
                    FaultKind.USER,
                    "kept: " + machine.name() + " keeps nothing by the name " + name + "; the names are "
                            + byName.keySet());
        }
        return States.another(kept);
    }

    synchronized SequencedMap<String, Tensor> all() {
        SequencedMap<String, Tensor> all = new LinkedHashMap<>();
        byName.forEach((name, tensor) -> all.put(name, States.another(tensor)));
        return all;
    }

    /** Makes the tensor of a value that another process has kept. */
    synchronized void restored(KeptValue name, RemoteValue value) {
        Layout layout = Layout.of(
                Shape.of(name.getSizesList().stream().mapToLong(Long::longValue).toArray()),
                name.getStridesList().stream().mapToLong(Long::longValue).toArray(),
                name.getOffset());
        Cell cell = cells.computeIfAbsent(value, fresh -> Cell.over(device, fresh));
        Tensor tensor = machine.unscoped(() -> (Tensor) device.factory().tensor(new Variable(cell, layout), layout));
        if (name.getRequiresGrad()) {
            tensor.requiresGrad(true);
        }
        recorder.restored(name, cell);
        byName.put(name.getName(), tensor);
    }

    /** Ends the restoration of tensors. */
    synchronized void allRestored() {
        cells.clear();
    }
}
