package dev.outpost;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Internals;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.graph.Edge;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.trace.EmittedValues;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.function.Supplier;

/** Does for {@link Internals} what this package keeps to itself. Found by its name. */
final class PackageAccess implements Internals.Access {
    @Override
    public Tensor over(TensorDevice device, RemoteValue value) {
        return Tensor.over(device, value);
    }

    @Override
    public Tensor sharing(TensorDevice device, RemoteValue value) {
        return Tensor.sharing(device, value);
    }

    @Override
    public Tensor tensor(Variable variable, Layout layout) {
        return new Tensor(variable, layout);
    }

    @Override
    public Variable variable(Tensor tensor) {
        return tensor.variable();
    }

    @Override
    public Cell cell(Tensor tensor) {
        return tensor.cell();
    }

    @Override
    public Layout layout(Tensor tensor) {
        return tensor.layout();
    }

    @Override
    public TensorDevice home(Tensor tensor) {
        return tensor.home();
    }

    @Override
    public Edge gradientEdge(Tensor tensor) {
        return tensor.gradientEdge();
    }

    @Override
    public Tensor another(Tensor tensor) {
        return tensor.another();
    }

    @Override
    public Tensor view(Tensor tensor, Layout layout) {
        return tensor.view(layout);
    }

    @Override
    public boolean isWhole(Tensor tensor) {
        return tensor.isWhole();
    }

    @Override
    public RemoteValue wholeValue(Tensor tensor) {
        return tensor.wholeValue();
    }

    @Override
    public TensorType heldType(Tensor tensor) {
        return tensor.heldType();
    }

    @Override
    public Tensor snapshot(Tensor tensor) {
        return tensor.snapshot();
    }

    @Override
    public void assign(Tensor tensor, Tensor source) {
        tensor.assign(source);
    }

    @Override
    public void overwrite(Tensor tensor, Tensor source) {
        tensor.overwrite(source);
    }

    @Override
    public Tensor ownStorage(Tensor tensor) {
        return tensor.ownStorage();
    }

    @Override
    public Scope scope(Tensor tensor) {
        return tensor.scope();
    }

    @Override
    public TensorDevice home(RemoteMachine machine) {
        return machine.home();
    }

    @Override
    public Tensor random(RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high) {
        return machine.random(fn, dtype, shape, low, high);
    }

    @Override
    public Tensor random(
            RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high, Generator generator) {
        return machine.random(fn, dtype, shape, low, high, generator);
    }

    @Override
    public Tensor upload(RemoteMachine machine, HostTensor values) {
        return machine.upload(values);
    }

    @Override
    public Tensor upload(RemoteMachine machine, DType dtype, Shape shape, ElementSource elements) {
        return machine.upload(dtype, shape, elements);
    }

    @Override
    public RandomStream randomStream(RemoteMachine machine) {
        return machine.random();
    }

    @Override
    public Scan scan(
            Recorder recorder,
            RemoteScan remote,
            EmittedValues emitted,
            List<Tensor> carry,
            long max,
            boolean isConditional) {
        return new Scan(recorder, remote, emitted, carry, max, isConditional);
    }

    @Override
    public long counted(Scan scan) {
        return scan.counted();
    }

    @Override
    public <T> T unscoped(Supplier<T> body) {
        return Scope.without(body);
    }

    @Override
    public Scope currentScope() {
        return Scope.current();
    }

    @Override
    public Scope openTidyScope() {
        return Scope.openTidy();
    }

    @Override
    public Tensor lasting(Tensor saved) {
        return Scope.lasting(saved);
    }

    @Override
    public void move(Tensor tensor, Scope target) {
        Scope.move(tensor, target);
    }

    @Override
    public Scope living(Scope scope) {
        return scope.living();
    }

    @Override
    public <T> T outside(Scope scope, Supplier<T> body) {
        return scope.outside(body);
    }

    @Override
    public HostTensor blank(DType dtype, Shape shape) {
        return HostTensor.blank(dtype, shape);
    }

    @Override
    public int requireHeld(DType dtype, Shape shape) {
        return HostTensor.requireHeld(dtype, shape);
    }

    @Override
    public Shape shapeFor(int elements, long... sizes) {
        return HostTensor.shapeFor(elements, sizes);
    }
}
