package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.explain.Explanation;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.Placing;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.internal.graph.AccumulateNode;
import dev.outpost.internal.graph.Differentiation;
import dev.outpost.internal.graph.GraphPrinter;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.text.TensorPrinter;
import dev.outpost.ops.ActivationOps;
import dev.outpost.ops.CompareOps;
import dev.outpost.ops.ContractOps;
import dev.outpost.ops.CreationOps;
import dev.outpost.ops.InPlaceOps;
import dev.outpost.ops.IndexOps;
import dev.outpost.ops.PointwiseOps;
import dev.outpost.ops.RandomFillOps;
import dev.outpost.ops.ReadOps;
import dev.outpost.ops.ReduceOps;
import dev.outpost.ops.ViewOps;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Promotion;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a tensor on a machine. Its shape and dtype are known at once. Its elements are computed and fetched when the program
 * reads them ({@link #item}, {@link #toFloatArray}, {@link #toString}, …).
 *
 * <p>Several tensors may be views of one storage: a write through one view changes all of them, as in PyTorch. The ops are grouped by
 * interfaces: {@link PointwiseOps}, {@link CompareOps}, {@link ReduceOps}, {@link ViewOps}, {@link IndexOps}, {@link ContractOps},
 * {@link ActivationOps}, {@link InPlaceOps}, {@link RandomFillOps}, {@link ReadOps}, {@link CreationOps}.
 *
 * <p>Thread-safe, except for {@link #resize_}, {@link #requiresGrad(boolean)} and {@link #retainGrad}, which change the tensor object.
 * Each op in place is atomic with respect to all other writes to the same storage. If threads write different elements of one tensor,
 * through any of its views, no write is lost. A read sees the values before or after such a write. If several threads compute gradients
 * for one leaf, the gradients are added.
 *
 * <p>A tensor's memory is returned when it is closed, when the {@link Scope} that it was made in closes, or some time
 * after it was garbage-collected.
 *
 * <p>Errors: an op throws {@link OpException} at the call if shapes, dtypes or machines do not fit. The message
 * begins with the op's name and shows the shapes, dtypes or machines that do not fit. Faults that depend on elements,
 * such as an index out of range or an integer division by zero, are found by the machine. Each read of an affected
 * value throws them.
 */
public final class Tensor extends TensorState
        implements Operand,
                PointwiseOps,
                CompareOps,
                ReduceOps,
                ViewOps,
                IndexOps,
                ContractOps,
                ActivationOps,
                InPlaceOps,
                RandomFillOps,
                ReadOps,
                CreationOps,
                AutoCloseable {
    /** Creates tensors for the packages that cannot call the private constructor. */
    static final TensorDevice.Factory FACTORY = new TensorDevice.Factory() {
        @Override
        public TensorState tensor(Variable variable, Layout layout) {
            return new Tensor(variable, layout);
        }

        @Override
        public void attach(Op op, Operand[] operands, TensorState[] results) {
            OpNode.attach(op, Gradients::rule, operands, results);
        }
    };

    private Tensor(Variable variable, Layout layout) {
        super(variable, layout);
    }

    @Override
    public Tensor self() {
        return this;
    }

    // ---- properties that need no read from the machine

    /**
     * Returns the sizes of all dimensions. Does not wait.
     *
     * {@snippet file="MachineExamplesTest.java" region="shape"}
     */
    @Override
    public Shape shape() {
        return States.layout(this).shape();
    }

    /** Returns the type of the elements. Does not wait. */
    @Override
    public DType dtype() {
        return States.cell(this).dtype();
    }

    /** Returns dtype and shape together, such as {@code float32[64,128]}. */
    @Override
    public TensorType type() {
        States.requireOpen(this);
        return States.heldType(this);
    }

    @Override
    public Promotion.Rank rank() {
        return dim() == 0 ? Promotion.Rank.ZERO_DIM : Promotion.Rank.DIMENSIONED;
    }

    /** Returns the number of dimensions. */
    public int dim() {
        return States.layout(this).rank();
    }

    /**
     * Returns the size of a dimension. Negative dimensions count from the back.
     *
     * {@snippet file="MachineExamplesTest.java" region="shape"}
     *
     * @throws OpException if the dimension does not exist
     */
    public long size(int dim) {
        return shape().size(shape().normalizeDim("size", requireDimension(dim)));
    }

    /** Returns the number of elements. */
    public long numel() {
        return shape().elements();
    }

    /** Returns the distance in memory, in elements, between neighbours of a dimension. */
    public long stride(int dim) {
        return States.layout(this).stride(shape().normalizeDim("stride", requireDimension(dim)));
    }

    /**
     * Returns true if the elements are in row-major order in memory without gaps.
     *
     * {@snippet file="MachineExamplesTest.java" region="contiguous"}
     */
    public boolean isContiguous() {
        return States.layout(this).isContiguous();
    }

    /** Returns the machine that the tensor lives on. */
    public RemoteMachine machine() {
        return (RemoteMachine) States.home(this).machine();
    }

    /** Sets a name for this tensor's storage, which messages of faults use. Returns this tensor. */
    public Tensor named(String name) {
        States.cell(this).name(name);
        return this;
    }

    /** Returns a hash (FNV-1a) over shape, strides, offset, dtype and the current value's id: for debugging. */
    public long metadataHash() {
        long hash = 0xcbf29ce484222325L;
        for (int dim = 0; dim < dim(); dim++) {
            hash = mix(mix(hash, shape().size(dim)), States.layout(this).stride(dim));
        }
        return mix(
                mix(mix(hash, States.layout(this).offset()), dtype().code()),
                States.cell(this).value().id());
    }

    private static long mix(long hash, long value) {
        long mixed = hash;
        for (int shift = 0; shift < 64; shift += 8) {
            mixed = (mixed ^ (value >>> shift & 0xff)) * 0x100000001b3L;
        }
        return mixed;
    }

    private int requireDimension(int dim) {
        if (dim() == 0) {
            throw new OpException("size", "a scalar has no dimensions, got " + dim);
        }
        return dim;
    }

    /**
     * Changes this tensor's shape over the same storage, with the elements in storage order. Elements beyond the new shape stay in the
     * storage. Views and other handles keep their shapes. A storage that is too small grows by zeros.
     *
     * @throws OpException if the tensor requires gradients, or if the storage must grow and other tensors share it
     */
    public Tensor resize_(long... sizes) {
        Shape shape = Shape.of(sizes);
        if (requiresGrad()) {
            throw new OpException("resize_", "what requires gradients cannot be resized, got " + type());
        }
        Layout resized =
                Layout.of(shape, shape.contiguousStrides(), States.layout(this).offset());
        if (!shape.isEmpty() && resized.end() > States.cell(this).elements()) {
            grow(resized);
        }
        States.resize(this, resized);
        return this;
    }

    private void grow(Layout resized) {
        Cell small = States.cell(this);
        if (small.isShared()) {
            throw new OpException(
                    "resize_",
                    "the storage cannot grow while other tensors see it, got " + resized.shape() + " for " + type()
                            + "; close them, or make a larger tensor by pad or cat");
        }
        try (Tensor before = States.view(this, Layout.contiguous(Shape.of(small.elements())));
                Tensor zeros = before.newZeros(resized.end() - small.elements());
                Tensor grown = Tensors.cat(before, zeros)) {
            States.replaceStorage(this, grown);
        }
    }

    // ---- autograd

    @Override
    public boolean requiresGrad() {
        return States.variable(this).requiresGrad();
    }

    /** True if no recorded op computed this tensor. Backward accumulates gradients in leaves. */
    public boolean isLeaf() {
        return !requiresGrad() || States.isRequiringLeaf(this);
    }

    /**
     * Sets whether autograd accumulates gradients in this leaf (requires_grad_). Returns this tensor.
     *
     * {@snippet file="TrainingExamplesTest.java" region="requiresGrad"}
     *
     * @throws OpException if the tensor is not floating, is not a leaf, or has elements that share memory
     */
    public Tensor requiresGrad(boolean required) {
        States.requireOpen(this);
        if (required && !dtype().isFloating()) {
            throw new OpException("requires_grad", "only floating tensors can require gradients, got " + type());
        }
        if (!isLeaf()) {
            throw new OpException(
                    "requires_grad",
                    "only a leaf can be told whether it requires gradients, got " + type()
                            + ", which an op computed; detach() it first");
        }
        if (required && !States.layout(this).isInjective()) {
            throw new OpException(
                    "requires_grad", "elements must not share memory, got " + States.layout(this) + "; clone first");
        }
        AccumulateNode.require(this, required);
        return this;
    }

    /**
     * Returns the gradient that backward stored for this tensor, or null. The result is a separate handle: closing it does not remove
     * the gradient.
     *
     * {@snippet file="TrainingExamplesTest.java" region="backward"}
     */
    public @Nullable Tensor grad() {
        return (Tensor) States.gradientHolder(this).gradientHandle();
    }

    /** Replaces the gradient; null drops it. */
    public void grad(@Nullable Tensor gradient) {
        if (gradient != null && !gradient.type().equals(type())) {
            throw new OpException(
                    "grad", "the gradient must be as the tensor, got " + gradient.type() + " and " + type());
        }
        if (gradient != null) {
            OpRecording.requireTogether("grad", States.home(this), States.home(gradient));
        }
        Variable variable = States.variable(this);
        Tensor handle = gradient == null ? null : States.another(gradient);
        if (handle != null) {
            TensorScope.move(handle, variable.scope());
        }
        variable.replaceGradient(handle);
    }

    /** Makes the next backward keep this tensor's gradient although the tensor is not a leaf. */
    public void retainGrad() {
        if (!isLeaf()) {
            AccumulateNode.retainGradient(this);
        }
    }

    /**
     * Adds a function that receives this tensor's gradient and may return a replacement. The returned action removes the function.
     *
     * {@snippet file="TrainingExamplesTest.java" region="registerHook"}
     *
     * @throws OpException if the tensor does not require gradients
     */
    public Runnable registerHook(UnaryOperator<Tensor> hook) {
        ArgumentChecks.required(hook, "the hook");
        if (!requiresGrad()) {
            throw new OpException("register_hook", "the tensor does not require gradients, got " + type());
        }
        Edge edge = States.gradientEdge(this);
        UnaryOperator<TensorState> added = gradient -> hook.apply((Tensor) gradient);
        edge.node().addHook(edge.output(), added);
        return () -> edge.node().removeHook(added);
    }

    /**
     * Returns a tensor over the same storage that autograd does not track. Writes through either tensor change both.
     *
     * {@snippet file="TrainingExamplesTest.java" region="detach"}
     */
    public Tensor detach() {
        return States.detached(this);
    }

    /**
     * Computes the gradients of this scalar with respect to every leaf that it depends on, and adds them to {@link #grad()}. Does
     * not wait. The values that the ops saved for it are released, so a second call fails unless {@code retainGraph} was set.
     *
     * {@snippet file="TrainingExamplesTest.java" region="backward"}
     *
     * @throws OpException if the tensor is not a scalar, or does not require gradients
     */
    public void backward() {
        backward(null, false);
    }

    /** Like {@link #backward()}, but from a given gradient of this tensor's shape. */
    public void backward(Tensor gradient) {
        backward(gradient, false);
    }

    /**
     * Computes gradients as {@link #backward()} does, with all parameters.
     *
     * @param gradient the gradient of this tensor, with its shape; null means 1, for a scalar
     * @param retainGraph true to keep the saved values for another backward
     */
    public void backward(@Nullable Tensor gradient, boolean retainGraph) {
        Differentiation.backward(this, gradient, retainGraph);
    }

    /** Prints the autograd graph that leads to this tensor, one node per line. */
    public String graph() {
        return GraphPrinter.print(this);
    }

    /**
     * Explains how the machine computes this tensor's value: the recorded graph that leads to it within its segment, the ops fused into
     * each kernel, the memory plan, the generated code, and the time of each kernel. Like a read, it ends this thread's segment,
     * computes the value and waits. For a view, it explains the value of the whole storage. A machine remembers its latest 64 segments.
     * For values that a program computed, use {@link Program#explain()}.
     *
     * {@snippet file="MachineExamplesTest.java" region="explain"}
     */
    public Explanation explain() {
        return States.recorder(this)
                .current()
                .explain(States.cell(this))
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER,
                        "explain: the machine has forgotten how " + type()
                                + " was computed; ask before many more segments have run, or ask the program that"
                                + " computed it"));
    }

    /**
     * Returns the placement of the tensor on the machines of its group. On a single machine it is replicated. Some views cannot be cut
     * as their storage is, such as the diagonal of a matrix whose columns are cut; they are gathered at use, so they count as
     * replicated. Ends the segment that computes the tensor. Does not wait.
     */
    public Sharding placement() {
        return Placing.of(this);
    }

    // ---- dtype and copies

    @Override
    public Tensor cast(DType dtype) {
        return to(dtype);
    }

    /**
     * Returns a row-major copy with its own memory. Gradients flow through it.
     *
     * {@snippet file="MachineExamplesTest.java" region="cloned"}
     */
    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public Tensor clone() {
        return Dispatch.apply(Unary.COPY, this);
    }

    /**
     * Returns this tensor if it is row-major, else a row-major copy.
     *
     * {@snippet file="MachineExamplesTest.java" region="contiguous"}
     */
    public Tensor contiguous() {
        return isContiguous() ? this : clone();
    }

    // ---- life

    /** Returns true if this handle was closed, by the program or by its scope. */
    public boolean isClosed() {
        return States.isClosed(this);
    }

    /**
     * Closes this handle. The memory is released when no other view of the storage is open. Closing the last handle of a leaf also
     * drops its gradient; handles that {@link #grad()} returned stay valid.
     *
     * {@snippet file="MachineExamplesTest.java" region="close"}
     */
    @Override
    public void close() {
        States.close(this);
    }

    /**
     * Returns the values as PyTorch prints them. Fetches only the elements that it prints. Never throws. Waits for at
     * most two seconds, and then returns type and state, for example {@code float32[3, 4] (not read)}. The state
     * shows if the tensor is closed, lost or failed. A later read or {@link RemoteMachine#close} still throws that
     * failure. With the system property {@code outpost.tostring=type}, for debuggers, it returns the type and reads
     * nothing.
     */
    @Override
    public String toString() {
        return TensorPrinter.print(this);
    }
}
