package dev.outpost;

import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.client.sharding.PlacedView;
import dev.outpost.explain.Explanation;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.InPlace;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.graph.AccumulateNode;
import dev.outpost.internal.graph.Edge;
import dev.outpost.internal.graph.GraphPrinter;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.graph.ViewNode;
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
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A handle of a tensor on a machine. Its shape and dtype are known at once; its elements are computed and fetched when
 * something looks at them ({@link #item}, {@link #toFloatArray}, {@link #toString}, …).
 *
 * <p>Several tensors may be views of one storage: a write through one is seen by all, as in PyTorch. Ops stand in
 * families: {@link PointwiseOps}, {@link CompareOps}, {@link ReduceOps}, {@link ViewOps}, {@link IndexOps}, {@link
 * ContractOps}, {@link ActivationOps}, {@link InPlaceOps}, {@link RandomFillOps}, {@link ReadOps}, {@link CreationOps}.
 *
 * <p>Thread-safe, except for {@link #resize_}, {@link #requiresGrad(boolean)} and {@link #retainGrad}, which change the tensor object.
 * Each op in place is atomic with respect to all other writes to the same storage. If threads write different elements of one tensor,
 * through any of its views, no write is lost. A read sees the values before or after such a write. If several threads compute gradients
 * for one leaf, the gradients are added.
 *
 * <p>A tensor's memory is returned when it is closed, when the {@link Scope} that it was made in closes, or some time
 * after it was garbage-collected.
 */
public final class Tensor
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
    private static final VarHandle CLOSING;

    static {
        try {
            CLOSING = MethodHandles.lookup().findVarHandle(Tensor.class, "closing", Closing.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private Variable variable;
    private Layout layout;
    /** Made when it is first asked for: views are often only steps to others. */
    private @Nullable TensorType type;

    private @Nullable ViewNode viewNode;
    /** Of the view that this one was made of. */
    private @Nullable ViewNode parentNode;

    private @Nullable Variable retained;
    private @Nullable Scope scope;
    private int placeInScope;
    /** Null while it is open. Several threads may close it: the first does. */
    private @Nullable Closing closing;

    /** How a tensor was closed, and what to do about it. */
    enum Closing {
        CALL("by close(): close it behind its last use, or use another handle, as detach() makes"),
        SCOPE("with its scope: scope.keep(tensor) lets it live in the scope around it, or on its own where there is"
                + " none"),
        TIDY("by Scope.tidy, of which only the answer stays: answer it, or make it outside");

        private final String text;

        Closing(String text) {
            this.text = text;
        }
    }

    Tensor(Variable variable, Layout layout) {
        this.variable = variable;
        this.layout = layout;
        variable.cell().opened();
        Scope.adopt(this);
    }

    /** A tensor over a value of its own that autograd does not know. */
    static Tensor over(TensorDevice device, RemoteValue value) {
        Layout layout = Layout.contiguous(value.type().shape());
        Tensor tensor = new Tensor(new Variable(Cell.over(device, value), layout), layout);
        tensor.type = value.type();
        return tensor;
    }

    /** As {@link #over}, for a value that something else holds as well. */
    static Tensor sharing(TensorDevice device, RemoteValue value) {
        Layout layout = Layout.contiguous(value.type().shape());
        return new Tensor(new Variable(Cell.sharing(device, value), layout), layout);
    }

    @Override
    public Tensor self() {
        return this;
    }

    // ---- what is known without asking the machine

    public Shape shape() {
        return layout.shape();
    }

    public DType dtype() {
        return cell().dtype();
    }

    /** Dtype and shape together, as {@code float32[64,128]}. */
    @Override
    public TensorType type() {
        requireOpen();
        return heldType();
    }

    @Override
    public Promotion.Rank rank() {
        return dim() == 0 ? Promotion.Rank.ZERO_DIM : Promotion.Rank.DIMENSIONED;
    }

    /** The number of dimensions. */
    public int dim() {
        return layout.rank();
    }

    /** The size of a dimension; negative ones count from the back. */
    public long size(int dim) {
        return shape().size(shape().normalizeDim("size", requireDimension(dim)));
    }

    /** The number of elements. */
    public long numel() {
        return shape().elements();
    }

    /** The distance in memory, in elements, between neighbours of a dimension. */
    public long stride(int dim) {
        return layout.stride(shape().normalizeDim("stride", requireDimension(dim)));
    }

    public boolean isContiguous() {
        return layout.isContiguous();
    }

    /** The machine that the tensor lives on. */
    public RemoteMachine machine() {
        return home().machine();
    }

    /** Says what people call this tensor's storage, for faults that took it. */
    public Tensor named(String name) {
        cell().name(name);
        return this;
    }

    /** A hash (FNV-1a) over shape, strides, offset, dtype and the current value's id: for debugging. */
    public long metadataHash() {
        long hash = 0xcbf29ce484222325L;
        for (int dim = 0; dim < dim(); dim++) {
            hash = mix(mix(hash, shape().size(dim)), layout.stride(dim));
        }
        return mix(
                mix(mix(hash, layout.offset()), dtype().code()), cell().value().id());
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
     * Another shape over the same storage, its elements in their order: what is behind them stays there unseen. Views and other
     * handles keep their shapes. A storage that is too small grows by zeros.
     *
     * @throws OpException if gradients flow, or if the storage is to grow and other tensors see it
     */
    public Tensor resize_(long... sizes) {
        Shape shape = Shape.of(sizes);
        if (requiresGrad()) {
            throw new OpException("resize_", "what requires gradients cannot be resized, got " + type());
        }
        Layout resized = Layout.of(shape, shape.contiguousStrides(), layout.offset());
        if (!shape.isEmpty() && resized.end() > cell().elements()) {
            grow(resized);
        }
        layout = resized;
        type = null;
        return this;
    }

    private void grow(Layout resized) {
        Cell small = cell();
        if (small.isShared()) {
            throw new OpException(
                    "resize_",
                    "the storage cannot grow while other tensors see it, got " + resized.shape() + " for " + type()
                            + "; close them, or make a larger tensor by pad or cat");
        }
        try (Tensor before = view(Layout.contiguous(Shape.of(small.elements())));
                Tensor zeros = before.newZeros(resized.end() - small.elements());
                Tensor grown = Tensors.cat(before, zeros)) {
            Variable larger = new Variable(grown.cell().snapshot(), Layout.contiguous(grown.shape()));
            larger.cell().opened();
            variable = larger;
        }
        if (small.closedOne()) {
            small.close();
        }
    }

    // ---- autograd

    public boolean requiresGrad() {
        return variable.requiresGrad();
    }

    /** Whether gradients are accumulated here: a tensor that no recorded op computed. */
    public boolean isLeaf() {
        return !requiresGrad() || variable.isRequiringLeaf() && isRoot();
    }

    /** Asks autograd to accumulate gradients here (requires_grad_). Only a floating leaf can. */
    public Tensor requiresGrad(boolean required) {
        requireOpen();
        if (required && !dtype().isFloating()) {
            throw new OpException("requires_grad", "only floating tensors can require gradients, got " + type());
        }
        if (!isLeaf()) {
            throw new OpException(
                    "requires_grad",
                    "only a leaf can be told whether it requires gradients, got " + type()
                            + ", which an op computed; detach() it first");
        }
        if (required && !layout.isInjective()) {
            throw new OpException("requires_grad", "elements must not share memory, got " + layout + "; clone first");
        }
        if (variable.isRequiringLeaf() != required) {
            // A view that becomes a leaf is one by itself: its base goes on without gradients.
            variable = isRoot() ? variable : new Variable(variable.cell(), layout);
            variable.requireGrad(required);
        }
        return this;
    }

    /** The gradient that backward left here, or null. A handle of its own: closing it does not take the gradient away. */
    public @Nullable Tensor grad() {
        return (retained == null ? variable : retained).gradientHandle();
    }

    /** Replaces the gradient; null drops it. */
    public void grad(@Nullable Tensor gradient) {
        if (gradient != null && !gradient.type().equals(type())) {
            throw new OpException(
                    "grad", "the gradient must be as the tensor, got " + gradient.type() + " and " + type());
        }
        if (gradient != null) {
            Dispatch.requireTogether("grad", home(), gradient.home());
        }
        variable.replaceGradient(gradient == null ? null : gradient.handleIn(variable.scope()));
    }

    /** Keeps this tensor's gradient at the next backward although it is no leaf. */
    public void retainGrad() {
        if (!isLeaf() && retained == null) {
            // A variable of this tensor's own: the one it shares belongs to its base.
            retained = new Variable(variable.cell(), layout);
            registerHook(gradient -> {
                AccumulateNode.accumulate(retained, gradient);
                return gradient;
            });
        }
    }

    /** Adds a function that sees this tensor's gradient and may answer with another; the answer removes it again. */
    public Runnable registerHook(UnaryOperator<Tensor> hook) {
        ArgumentChecks.required(hook, "the hook");
        if (!requiresGrad()) {
            throw new OpException("register_hook", "the tensor does not require gradients, got " + type());
        }
        Edge edge = gradientEdge();
        edge.node().addHook(edge.output(), hook);
        return () -> edge.node().removeHook(hook);
    }

    /** The same storage, out of autograd's sight. Writes through either are seen by both. */
    public Tensor detach() {
        requireOpen();
        return new Tensor(new Variable(cell().detached(), layout), layout);
    }

    /** Computes the gradients of this scalar with respect to every leaf that it came from. */
    public void backward() {
        backward(null, false);
    }

    /** As {@link #backward()}, from a given gradient of this tensor's shape. */
    public void backward(Tensor gradient) {
        backward(gradient, false);
    }

    /**
     * As {@link #backward()}.
     *
     * @param gradient of this tensor's shape; null for one, if this is a scalar
     * @param retainGraph whether what was saved is kept for another backward
     */
    public void backward(@Nullable Tensor gradient, boolean retainGraph) {
        Autograd.backward(this, gradient, retainGraph);
    }

    /** The autograd graph behind this tensor, one node a line. */
    public String graph() {
        return GraphPrinter.print(this);
    }

    /**
     * How this tensor's value was, or will be, computed on the machine: the recorded graph that leads to it within its
     * segment, what was fused into which kernel, the memory plan, the generated code, and how long each kernel took.
     * Computes what it would have computed; like a look, it ends this thread's segment and waits. Of a view, the value
     * that it is a view of is told. A machine remembers its latest 64 segments; what a program computed, {@link Program#explain()}
     * tells.
     */
    public Explanation explain() {
        return recorder()
                .current()
                .explain(cell())
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER,
                        "explain: the machine has forgotten how " + type()
                                + " was computed; ask before many more segments have run, or ask the program that"
                                + " computed it"));
    }

    /** Where this tensor's gradient goes, or null. */
    @Nullable
    Edge gradientEdge() {
        Edge source = variable.edge();
        if (source == null || isRoot() && parentNode == null) {
            return source;
        }
        ViewNode node = viewNode;
        if (node == null || node.edges()[0] != source) {
            node = new ViewNode(variable, source, layout, parentNode);
            viewNode = node;
        }
        return new Edge(node, 0);
    }

    private boolean isRoot() {
        return layout.equals(variable.root());
    }

    /** Another handle on the same. */
    Tensor another() {
        return new Tensor(variable, layout);
    }

    /** Another handle, which lives in that scope. */
    private Tensor handleIn(Scope target) {
        Tensor handle = another();
        Scope.move(handle, target);
        return handle;
    }

    /**
     * How the tensor is placed on the machines of its group; on one machine it is replicated on that. A view that cannot be cut where
     * its storage is, such as a diagonal of a matrix whose columns are cut, is gathered where it is used, and so is told to be replicated. Ends the segment that computes
     * the tensor; does not wait.
     */
    public Sharding placement() {
        Cell storage = cell();
        Sharding stored = home().recorder().current().sharding(storage);
        return PlacedView.of(stored, storage.type().shape(), layout);
    }

    // ---- storage, for the op families

    Variable variable() {
        return variable;
    }

    Cell cell() {
        requireOpen();
        return variable.cell();
    }

    Layout layout() {
        return layout;
    }

    TensorDevice home() {
        return variable.cell().home();
    }

    /** The recorder of the machine that it is on. */
    Recorder recorder() {
        return home().recorder();
    }

    /** Another view of the same storage. */
    Tensor view(Layout newLayout) {
        requireOpen();
        boolean recorded = GradMode.isEnabled() || !requiresGrad();
        Tensor view = new Tensor(recorded ? variable : new Variable(variable.cell(), newLayout), newLayout);
        Edge edge = recorded ? gradientEdge() : null;
        view.parentNode = edge != null && edge.node() instanceof ViewNode parent ? parent : null;
        return view;
    }

    /** Whether this tensor is all of its storage, in order. */
    boolean isWhole() {
        return layout.covers(cell().elements());
    }

    /** The current value, if it is this tensor as it stands; null if a view of it is needed. */
    @Nullable
    RemoteValue wholeValue() {
        RemoteValue value = cell().value();
        return isWhole() && value.type().shape().equals(shape()) ? value : null;
    }

    /** Dtype and shape, also of a tensor from outside while a program is traced. */
    TensorType heldType() {
        if (type == null) {
            type = new TensorType(variable.cell().dtype(), shape());
        }
        return type;
    }

    /** This tensor as it is now, whatever is written to its storage later; it is on autograd's graph where this one is. */
    Tensor snapshot() {
        // A layout that repeats elements is no root: views of it would count their gradient as often as they are
        // repeated.
        boolean isRepeated = !layout.isInjective();
        Variable copy = new Variable(cell().snapshot(), isRepeated ? variable.root() : layout);
        Edge edge = isRepeated ? variable.edge() : gradientEdge();
        if (edge != null) {
            copy.computedBy(edge);
        }
        return new Tensor(copy, layout);
    }

    /** Writes a tensor of this one's shape and dtype, which was computed of this one, through this view. */
    void assign(Tensor source) {
        InPlace.assign(this, source);
    }

    /** As {@link #assign}, of a tensor that has nothing to do with this one. */
    void overwrite(Tensor source) {
        InPlace.overwrite(this, source);
    }

    // ---- dtype and copies

    @Override
    public Tensor cast(DType dtype) {
        return to(dtype);
    }

    /** A copy with memory of its own, row-major (clone). */
    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod")
    public Tensor clone() {
        return Dispatch.apply(Unary.COPY, this);
    }

    /** This tensor if it is row-major already, else a copy that is. */
    public Tensor contiguous() {
        return isContiguous() ? this : clone();
    }

    /** This tensor if it is all of its storage, else a copy that is. */
    Tensor ownStorage() {
        return isWhole() ? this : clone();
    }

    // ---- life

    @Nullable
    Scope scope() {
        return scope;
    }

    /** Lives there from here on, at that place; in none when it is null. */
    void scope(Scope newScope, int place) {
        scope = newScope;
        placeInScope = place;
    }

    int placeInScope() {
        return placeInScope;
    }

    public boolean isClosed() {
        return closing != null || variable.cell().isClosed();
    }

    /**
     * Lets go of this handle; the memory is returned when no other view of the storage is open. With the last of a leaf goes the
     * gradient that backward left there; a handle that {@link #grad()} answered keeps it.
     */
    @Override
    public void close() {
        closeBy(Closing.CALL);
    }

    private void closeBy(Closing how) {
        ValueHandle last = release(how);
        if (last != null) {
            last.close();
        }
    }

    /** As a close, but for the value: where nobody else has it, the answer is the handle that is to be closed, else null. */
    @Nullable
    ValueHandle release(Closing how) {
        if (closing != null || !CLOSING.compareAndSet(this, null, how)) {
            return null;
        }
        if (scope != null) {
            scope.forget(this);
        }
        if (!variable.cell().closedOne()) {
            return null;
        }
        variable.closeGradient();
        return variable.cell().handle();
    }

    /** Whether somebody has closed this handle. */
    boolean isReleased() {
        return closing != null;
    }

    private void requireOpen() {
        if (closing != null) {
            throw closedException();
        }
    }

    private OpException closedException() {
        String name = variable.cell().name();
        String which = "the tensor " + (name.isEmpty() ? "" : name + " ") + heldType();
        String how = variable.cell().isOfProgram()
                ? " was made while a program was traced and has no value: return it from the program"
                : " was closed " + closing.text;
        return new OpException(SourceLine.calledOp(), which + how);
    }

    /**
     * Returns the values as PyTorch prints them. Fetches only the elements that it prints. Never throws. Waits for at most two seconds,
     * and then returns type and state, for example {@code float32[3, 4] (not read)}. The state says if the tensor is closed, lost or
     * failed. A later read or {@link RemoteMachine#close} still throws that failure. With the system property {@code
     * outpost.tostring=type}, for debuggers, it returns the type and reads nothing.
     */
    @Override
    public String toString() {
        return TensorPrinter.print(this);
    }
}
