package dev.outpost.internal;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.client.program.Recorder;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.internal.TensorState.Closing;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.graph.ViewNode;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import org.jspecify.annotations.Nullable;

/** The operations on the state of a tensor. */
public final class States {
    private States() {}

    /** Returns a tensor over a variable. */
    public static TensorState tensor(Variable variable, Layout layout) {
        return variable.cell().home().factory().tensor(variable, layout);
    }

    /**
     * Like {@link #tensor}, but with the class of another tensor, because all tensors of a machine have one factory.
     */
    @SuppressWarnings("unchecked")
    private static <T extends TensorState> T like(T other, Variable variable, Layout layout) {
        return (T) tensor(variable, layout);
    }

    // ---- parts of the state

    /** Returns the variable that represents a tensor in autograd. */
    public static Variable variable(TensorState tensor) {
        return tensor.variable;
    }

    /** Returns the storage of a tensor, which must be open. */
    public static Cell cell(TensorState tensor) {
        requireOpen(tensor);
        return tensor.variable.cell();
    }

    /** Returns the places of a tensor's elements in its storage. */
    public static Layout layout(TensorState tensor) {
        return tensor.layout;
    }

    /** Returns the device of a tensor. */
    public static TensorDevice home(TensorState tensor) {
        return tensor.variable.cell().home();
    }

    /** Returns the recorder of the machine that a tensor is on. */
    public static Recorder recorder(TensorState tensor) {
        return home(tensor).recorder();
    }

    /** Returns the scope that closes a tensor, or null. */
    public static @Nullable TensorScope scope(TensorState tensor) {
        return tensor.scope;
    }

    /**
     * Returns dtype and shape. It works also for a closed tensor, and for outer tensors while a program is traced.
     */
    public static TensorType heldType(TensorState tensor) {
        TensorType type = tensor.type;
        if (type == null) {
            type = new TensorType(tensor.variable.cell().dtype(), tensor.layout.shape());
            tensor.type = type;
        }
        return type;
    }

    // ---- views and values

    /** Returns another handle on the same tensor. */
    public static <T extends TensorState> T another(T tensor) {
        return like(tensor, tensor.variable, tensor.layout);
    }

    /** Returns another view of a tensor's storage. */
    public static <T extends TensorState> T view(T tensor, Layout layout) {
        requireOpen(tensor);
        TensorState seen = tensor;
        boolean recorded = GradMode.isEnabled() || !tensor.requiresGrad();
        T view = like(tensor, recorded ? seen.variable : new Variable(seen.variable.cell(), layout), layout);
        Edge edge = recorded ? gradientEdge(tensor) : null;
        if (edge != null && edge.node() instanceof ViewNode parent) {
            ((TensorState) view).parentNode = parent;
        }
        return view;
    }

    /** Changes the tensor's layout over the same storage. */
    public static void resize(TensorState tensor, Layout layout) {
        tensor.layout = layout;
        tensor.type = null;
    }

    /**
     * Replaces the tensor's storage by another tensor's storage. The tensor must have the only handle of its old
     * storage.
     */
    public static void replaceStorage(TensorState tensor, TensorState source) {
        Cell before = cell(tensor);
        Variable variable = new Variable(cell(source).snapshot(), Layout.contiguous(source.shape()));
        variable.cell().opened();
        tensor.variable = variable;
        if (before.closedOne()) {
            before.close();
        }
    }

    /** True if a tensor covers its whole storage in row-major order. */
    public static boolean isWhole(TensorState tensor) {
        return tensor.layout.covers(cell(tensor).elements());
    }

    /** Returns a tensor's current value if the tensor covers the whole value in row-major order; else null. */
    public static @Nullable RemoteValue wholeValue(TensorState tensor) {
        RemoteValue value = cell(tensor).value();
        return isWhole(tensor) && value.type().shape().equals(tensor.layout.shape()) ? value : null;
    }

    /**
     * Returns a tensor with the current value, which later writes to the storage do not change. It has the same place in autograd's
     * graph.
     */
    public static <T extends TensorState> T snapshot(T tensor) {
        Variable variable = variable(tensor);
        Layout layout = layout(tensor);
        // A layout that repeats elements cannot be a root: views of it would count the gradient once for each
        // repetition.
        boolean isRepeated = !layout.isInjective();
        Variable copy = new Variable(cell(tensor).snapshot(), isRepeated ? variable.root() : layout);
        Edge edge = isRepeated ? variable.edge() : gradientEdge(tensor);
        if (edge != null) {
            copy.computedBy(edge);
        }
        return like(tensor, copy, layout);
    }

    /** Returns a tensor over the same storage that autograd does not track. */
    public static <T extends TensorState> T detached(T tensor) {
        Layout layout = layout(tensor);
        return like(tensor, new Variable(cell(tensor).detached(), layout), layout);
    }

    /** Returns the tensor if it covers its whole storage, else a copy that does. */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> T ownStorage(T tensor) {
        return isWhole(tensor) ? tensor : (T) tensor.clone();
    }

    // ---- autograd

    /** True if gradients are accumulated in a tensor. */
    public static boolean isRequiringLeaf(TensorState tensor) {
        return tensor.variable.isRequiringLeaf() && isRoot(tensor);
    }

    /** Replaces a tensor's variable by another one over the same storage. */
    public static void replaceVariable(TensorState tensor, Variable variable) {
        tensor.variable = variable;
    }

    public static boolean isRoot(TensorState tensor) {
        return tensor.layout.equals(tensor.variable.root());
    }

    /** Returns the edge that receives a tensor's gradient, or null. */
    public static @Nullable Edge gradientEdge(TensorState tensor) {
        Edge source = tensor.variable.edge();
        if (source == null || isRoot(tensor) && tensor.parentNode == null) {
            return source;
        }
        ViewNode node = tensor.viewNode;
        if (node == null || node.edges()[0] != source) {
            node = new ViewNode(tensor.variable, source, tensor.layout, tensor.parentNode);
            tensor.viewNode = node;
        }
        return new Edge(node, 0);
    }

    /** Returns the variable that holds a tensor's gradient. */
    public static Variable gradientHolder(TensorState tensor) {
        return tensor.retained == null ? tensor.variable : tensor.retained;
    }

    public static boolean retainsGradient(TensorState tensor) {
        return tensor.retained != null;
    }

    /** Makes a variable hold the gradient of a tensor that is not a leaf. */
    public static void retainGradientIn(TensorState tensor, Variable holder) {
        tensor.retained = holder;
    }

    // ---- life

    public static boolean isClosed(TensorState tensor) {
        return tensor.closing != null || tensor.variable.cell().isClosed();
    }

    /** Closes a handle. Closing the last one of a storage releases its value. */
    public static void close(TensorState tensor) {
        ValueHandle last = release(tensor, Closing.CALL);
        if (last != null) {
            last.close();
        }
    }

    /** Closes a handle without its value. Returns the handle of the value if this was the last tensor over it, else null. */
    static @Nullable ValueHandle release(TensorState tensor, Closing how) {
        if (!tensor.beginClose(how)) {
            return null;
        }
        if (tensor.scope != null) {
            tensor.scope.forget(tensor);
        }
        if (!tensor.variable.cell().closedOne()) {
            return null;
        }
        tensor.variable.closeGradient();
        return tensor.variable.cell().handle();
    }

    /** Throws OpException if a tensor was closed. */
    public static void requireOpen(TensorState tensor) {
        if (tensor.closing != null) {
            throw closedException(tensor);
        }
    }

    private static OpException closedException(TensorState tensor) {
        String name = tensor.variable.cell().name();
        String which = "the tensor " + (name.isEmpty() ? "" : name + " ") + heldType(tensor);
        String how = tensor.variable.cell().isOfProgram()
                ? " was made while a program was traced and has no value: return it from the program"
                : " was closed " + tensor.closing.text;
        return new OpException(SourceLine.calledOp(), which + how);
    }
}
