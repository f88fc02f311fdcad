package dev.outpost.nn;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.record.ActiveSignal;
import dev.outpost.internal.Placing;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A tensor that a module owns. Until the module moves {@linkplain Module#to(RemoteMachine) to a machine}, it has only a description.
 * Afterwards it holds a tensor there, which no scope closes.
 */
public abstract sealed class ModuleTensor permits Parameter, Buffer {
    private final Shape shape;
    private Initializer initializer;
    private DType dtype;
    private String name = "";
    private @Nullable HostTensor waiting;
    private @Nullable Tensor tensor;
    /** Computes the value if it is computed from others, else null. */
    private @Nullable ComputedValue computed;

    ModuleTensor(Shape shape, DType dtype, Initializer initializer) {
        this.shape = shape;
        this.dtype = dtype;
        this.initializer = initializer;
    }

    ModuleTensor(Tensor tensor) {
        this(tensor.shape(), tensor.dtype(), ModuleTensor::neverCreated);
        this.tensor = tensor;
    }

    private static Tensor neverCreated(RemoteMachine machine, Shape shape, DType dtype) {
        throw new IllegalStateException("a tensor that was made elsewhere is moved, never created anew");
    }

    public Shape shape() {
        return shape;
    }

    public DType dtype() {
        return computed == null ? dtype : computed.dtype();
    }

    /** Returns the dotted name within the outermost module in which it is registered, such as {@code 0.weight}. */
    public String name() {
        return name;
    }

    /** Returns true if the tensor is on a machine. */
    public boolean isPlaced() {
        return computed == null ? tensor != null : computed.isPlaced();
    }

    /**
     * Returns the tensor on the machine. Fails if the module is not on a machine yet. A parametrized tensor is
     * computed in each call.
     */
    public Tensor tensor() {
        if (computed != null) {
            return computed.value();
        }
        if (tensor == null) {
            throw new OutpostException(FaultKind.USER, this + ": it is on no machine yet; call to(machine)");
        }
        return tensor;
    }

    /** Replaces the values of the tensor if it exists, or else those that it will have on the machine. */
    public void initialize(Initializer newInitializer) {
        if (computed != null) {
            throw new OutpostException(
                    FaultKind.USER, this + ": it is computed from others; initialize those, or removeParametrization");
        }
        initializer = ArgumentChecks.required(newInitializer, "the initializer");
        waiting = null;
        if (tensor != null) {
            GradMode.noGrad(() -> {
                try (Tensor created = initializer.create(tensor.machine(), shape, dtype)) {
                    tensor.copy_(created);
                }
            });
        }
    }

    abstract String kind();

    /** Called with the tensor that was placed. */
    abstract void placed(Tensor placed);

    void rename(String newName) {
        name = newName;
        if (tensor != null) {
            tensor.named(newName);
        }
    }

    /** Fetches the values. Values that wait for a machine are complete at once. */
    CompletableFuture<HostTensor> fetch() {
        return waiting == null ? tensor().fetch() : CompletableFuture.completedFuture(waiting);
    }

    /** Makes the value computed from now on, and closes its own tensor. Keeps the description of the first value. */
    void computeBy(ComputedValue how) {
        computed = how;
        if (tensor != null) {
            tensor.close();
            tensor = null;
        }
    }

    /** Returns the present value, or the first value on the machine, before the parametrization; the caller owns the tensor. */
    Tensor first(RemoteMachine machine) {
        return tensor == null ? make(machine) : tensor.detach();
    }

    /** Stops computing the value and sets it to the given one; null means that it is not created yet. */
    void hold(@Nullable Tensor value, DType itsDType, Initializer newInitializer) {
        computed = null;
        waiting = null;
        dtype = itsDType;
        initializer = newInitializer;
        if (value != null) {
            hold(value);
        }
    }

    Tensor make(RemoteMachine machine) {
        return waiting == null
                ? GradMode.noGrad(() -> initializer.create(machine, shape, dtype))
                : machine.tensor(waiting);
    }

    /** Leaves the machine; the values wait for the next machine. */
    void leave(HostTensor values) {
        waiting = values.to(dtype);
        if (tensor != null) {
            tensor.close();
            tensor = null;
        }
    }

    /** Creates the tensor on a machine unless it exists. An enclosing signal does not place it as data. */
    void place(RemoteMachine machine) {
        if (tensor == null) {
            hold(machine.unscoped(() -> ActiveSignal.outside(() -> make(machine))));
            waiting = null;
        }
    }

    /** Replaces the tensor by a copy, so that the copy gets the current placement of copies. */
    void copy() {
        if (tensor != null) {
            Tensor before = tensor;
            hold(before.machine().unscoped(() -> GradMode.noGrad(before::clone)));
            before.close();
        }
    }

    /** Replaces the values of the tensor if it exists, or else those that it will have on the machine. */
    void load(HostTensor values) {
        if (tensor == null) {
            waiting = values.to(dtype);
            return;
        }
        RemoteMachine machine = tensor.machine();
        try (Tensor uploaded = Placing.uploads(tensor, () -> machine.tensor(values.to(dtype)))) {
            GradMode.noGrad(() -> {
                tensor.copy_(uploaded);
            });
        }
    }

    /** Takes ownership of a tensor of this shape and dtype, which no scope closes. */
    void take(Tensor loaded) {
        if (tensor != null) {
            tensor.close();
        }
        waiting = null;
        hold(loaded);
    }

    void cast(DType newDType) {
        dtype = newDType;
        if (waiting != null) {
            waiting = waiting.to(newDType);
        }
        if (tensor != null && tensor.dtype() != newDType) {
            Tensor before = tensor;
            hold(before.machine().unscoped(() -> GradMode.noGrad(() -> before.to(newDType))));
            before.close();
        }
    }

    private void hold(Tensor held) {
        tensor = held;
        held.named(name);
        placed(held);
    }

    @Override
    public String toString() {
        return name.isEmpty() ? kind() + " " + shape : kind() + " " + name;
    }
}
