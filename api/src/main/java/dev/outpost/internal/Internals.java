package dev.outpost.internal;

import dev.outpost.Generator;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.internal.graph.Edge;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.trace.EmittedValues;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.function.Supplier;

/**
 * Access to package-private methods of the public classes (tensors, machines, scopes), for the other packages of Outpost. An
 * object in the package of the public classes makes the calls; it is found by name when this class is initialized.
 */
public final class Internals {
    private static final Access ACCESS = access();

    private Internals() {}

    /** Implemented once, in the package of the public classes. */
    public interface Access {
        Tensor over(TensorDevice device, RemoteValue value);

        Tensor sharing(TensorDevice device, RemoteValue value);

        Tensor tensor(Variable variable, Layout layout);

        Variable variable(Tensor tensor);

        Cell cell(Tensor tensor);

        Layout layout(Tensor tensor);

        TensorDevice home(Tensor tensor);

        Edge gradientEdge(Tensor tensor);

        Tensor another(Tensor tensor);

        Tensor view(Tensor tensor, Layout layout);

        boolean isWhole(Tensor tensor);

        RemoteValue wholeValue(Tensor tensor);

        TensorType heldType(Tensor tensor);

        Tensor snapshot(Tensor tensor);

        void assign(Tensor tensor, Tensor source);

        void overwrite(Tensor tensor, Tensor source);

        Tensor ownStorage(Tensor tensor);

        Scope scope(Tensor tensor);

        TensorDevice home(RemoteMachine machine);

        Tensor random(RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high);

        Tensor random(
                RemoteMachine machine,
                Random.Fn fn,
                DType dtype,
                Shape shape,
                long low,
                long high,
                Generator generator);

        Tensor upload(RemoteMachine machine, HostTensor values);

        Tensor upload(RemoteMachine machine, DType dtype, Shape shape, ElementSource elements);

        RandomStream randomStream(RemoteMachine machine);

        Scan scan(
                Recorder recorder,
                RemoteScan remote,
                EmittedValues emitted,
                List<Tensor> carry,
                long max,
                boolean isConditional);

        long counted(Scan scan);

        <T> T unscoped(Supplier<T> body);

        Scope currentScope();

        Scope openTidyScope();

        Tensor lasting(Tensor saved);

        void move(Tensor tensor, Scope target);

        Scope living(Scope scope);

        <T> T outside(Scope scope, Supplier<T> body);

        HostTensor blank(DType dtype, Shape shape);

        int requireHeld(DType dtype, Shape shape);

        Shape shapeFor(int elements, long... sizes);
    }

    private static Access access() {
        try {
            Constructor<?> constructor =
                    Class.forName("dev.outpost.PackageAccess").getDeclaredConstructor();
            constructor.setAccessible(true);
            return (Access) constructor.newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    // ---- tensors

    /** A tensor over a value of its own that autograd does not know. */
    public static Tensor over(TensorDevice device, RemoteValue value) {
        return ACCESS.over(device, value);
    }

    /** As {@link #over}, for a value that something else holds as well. */
    public static Tensor sharing(TensorDevice device, RemoteValue value) {
        return ACCESS.sharing(device, value);
    }

    /** A tensor over a variable. */
    public static Tensor tensor(Variable variable, Layout layout) {
        return ACCESS.tensor(variable, layout);
    }

    /** The variable by which autograd knows a tensor. */
    public static Variable variable(Tensor tensor) {
        return ACCESS.variable(tensor);
    }

    /** The storage of a tensor, which must be open. */
    public static Cell cell(Tensor tensor) {
        return ACCESS.cell(tensor);
    }

    /** Where a tensor's elements lie in its storage. */
    public static Layout layout(Tensor tensor) {
        return ACCESS.layout(tensor);
    }

    /** Where a tensor lives. */
    public static TensorDevice home(Tensor tensor) {
        return ACCESS.home(tensor);
    }

    /** The recorder of the machine that a tensor is on. */
    public static Recorder recorder(Tensor tensor) {
        return ACCESS.home(tensor).recorder();
    }

    /** Where a tensor's gradient goes, or null. */
    public static Edge gradientEdge(Tensor tensor) {
        return ACCESS.gradientEdge(tensor);
    }

    /** Another handle on the same. */
    public static Tensor another(Tensor tensor) {
        return ACCESS.another(tensor);
    }

    /** Another view of a tensor's storage. */
    public static Tensor view(Tensor tensor, Layout layout) {
        return ACCESS.view(tensor, layout);
    }

    /** Whether a tensor is all of its storage, in order. */
    public static boolean isWhole(Tensor tensor) {
        return ACCESS.isWhole(tensor);
    }

    /** A tensor's current value, if it is the tensor as it stands; null if a view of it is needed. */
    public static RemoteValue wholeValue(Tensor tensor) {
        return ACCESS.wholeValue(tensor);
    }

    /** Dtype and shape, also of a tensor that is closed or from outside while a program is traced. */
    public static TensorType heldType(Tensor tensor) {
        return ACCESS.heldType(tensor);
    }

    /** A tensor as it is now, whatever is written to its storage later; on autograd's graph where the tensor is. */
    public static Tensor snapshot(Tensor tensor) {
        return ACCESS.snapshot(tensor);
    }

    /** Writes a source of a tensor's shape and dtype, which was computed of that tensor, through it. */
    public static void assign(Tensor tensor, Tensor source) {
        ACCESS.assign(tensor, source);
    }

    /** As {@link #assign}, of a source that has nothing to do with the tensor. */
    public static void overwrite(Tensor tensor, Tensor source) {
        ACCESS.overwrite(tensor, source);
    }

    /** The tensor if it is all of its storage, else a copy that is. */
    public static Tensor ownStorage(Tensor tensor) {
        return ACCESS.ownStorage(tensor);
    }

    /** The scope that closes a tensor, or null. */
    public static Scope scope(Tensor tensor) {
        return ACCESS.scope(tensor);
    }

    // ---- machines

    /** Where new tensors live. If the machine was lost, another one is started for them, where one may be. */
    public static TensorDevice home(RemoteMachine machine) {
        return ACCESS.home(machine);
    }

    /** The recorder of {@link #home(RemoteMachine)}. */
    public static Recorder recorder(RemoteMachine machine) {
        return ACCESS.home(machine).recorder();
    }

    /** Random elements from the machine's stream; low and high for integers. */
    public static Tensor random(RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high) {
        return ACCESS.random(machine, fn, dtype, shape, low, high);
    }

    /** As {@link #random(RemoteMachine, Random.Fn, DType, Shape, long, long)}, from a generator; null for the machine's stream. */
    public static Tensor random(
            RemoteMachine machine, Random.Fn fn, DType dtype, Shape shape, long low, long high, Generator generator) {
        return ACCESS.random(machine, fn, dtype, shape, low, high, generator);
    }

    /** A tensor of values of the program. */
    public static Tensor upload(RemoteMachine machine, HostTensor values) {
        return ACCESS.upload(machine, values);
    }

    /** As {@link #upload(RemoteMachine, HostTensor)}; what the source gives has been read when this returns. */
    public static Tensor upload(RemoteMachine machine, DType dtype, Shape shape, ElementSource elements) {
        return ACCESS.upload(machine, dtype, shape, elements);
    }

    /** The random numbers of a machine. */
    public static RandomStream randomStream(RemoteMachine machine) {
        return ACCESS.randomStream(machine);
    }

    // ---- scans

    /** The user's view of a scan that was just recorded. */
    public static Scan scan(
            Recorder recorder,
            RemoteScan remote,
            EmittedValues emitted,
            List<Tensor> carry,
            long max,
            boolean isConditional) {
        return ACCESS.scan(recorder, remote, emitted, carry, max, isConditional);
    }

    /** How many runs a scan had. Waits for the machine where a condition decides it. */
    public static long counted(Scan scan) {
        return ACCESS.counted(scan);
    }

    // ---- scopes

    /** Computes with no scope open on this thread, so that what is made lives on its own. */
    public static <T> T unscoped(Supplier<T> body) {
        return ACCESS.unscoped(body);
    }

    /** The innermost scope of this thread, or null. */
    public static Scope currentScope() {
        return ACCESS.currentScope();
    }

    /** As {@link Scope#tidy}, for a body that makes something else than a tensor: keep what is to stay. */
    public static Scope openTidyScope() {
        return ACCESS.openTidyScope();
    }

    /** Has a tensor that autograd saves outlive what is tidy: it goes where the caller's own tensors do. */
    public static Tensor lasting(Tensor saved) {
        return ACCESS.lasting(saved);
    }

    /** Hands a tensor to another scope; null, or a scope that is closed, for none. */
    public static void move(Tensor tensor, Scope target) {
        ACCESS.move(tensor, target);
    }

    /** The scope, or the innermost one around it that is still open. Null for none. */
    public static Scope living(Scope scope) {
        return ACCESS.living(scope);
    }

    /** Has the caller's own code compute, whose tensors are the caller's. */
    public static <T> T outside(Scope scope, Supplier<T> body) {
        return ACCESS.outside(scope, body);
    }

    // ---- values of the program

    /** A tensor of zeros in the program's memory. */
    public static HostTensor blank(DType dtype, Shape shape) {
        return ACCESS.blank(dtype, shape);
    }

    /** The bytes of a {@link HostTensor}. Throws where one cannot hold so much. */
    public static int requireHeld(DType dtype, Shape shape) {
        return ACCESS.requireHeld(dtype, shape);
    }

    /** The shape of that many elements: the sizes, or one dimension where there are none. */
    public static Shape shapeFor(int elements, long... sizes) {
        return ACCESS.shapeFor(elements, sizes);
    }
}
