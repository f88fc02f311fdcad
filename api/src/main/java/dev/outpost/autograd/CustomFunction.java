package dev.outpost.autograd;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.functions.LibraryFunction;
import dev.outpost.internal.graph.FunctionNode;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.internal.graph.Variable;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.internal.vmap.Batching;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user-defined op with a user-defined gradient (torch.autograd.Function). Both directions are written with tensor ops.
 *
 * <pre>{@code
 * class Square extends CustomFunction {
 *     protected Tensor[] forward(Context context, Tensor... inputs) {
 *         context.save(inputs[0]);
 *         return new Tensor[] {inputs[0].mul(inputs[0])};
 *     }
 *
 *     protected Tensor[] backward(Context context, Tensor... gradients) {
 *         return new Tensor[] {gradients[0].mul(context.saved(0)).mul(2)};
 *     }
 * }
 * Tensor y = new Square().apply(x)[0];
 * }</pre>
 */
public abstract class CustomFunction {

    /** The tensors and the object that {@code forward} saves for {@code backward}. */
    public static final class Context {
        private final List<Tensor> saved = new ArrayList<>();
        private @Nullable Object attachment;

        private Context() {}

        /** Keeps the current values of tensors for {@code backward}. */
        public void save(Tensor... tensors) {
            Arrays.stream(tensors)
                    .map(States::snapshot)
                    .map(TensorScope::lasting)
                    .forEach(saved::add);
        }

        /** Returns a saved tensor by its position in the order of saving. */
        public Tensor saved(int index) {
            return saved.get(index);
        }

        /** Keeps any other object for {@code backward}. */
        public void attach(@Nullable Object object) {
            attachment = object;
        }

        public @Nullable Object attachment() {
            return attachment;
        }

        private void release() {
            saved.forEach(Tensor::close);
            saved.clear();
        }
    }

    /** Computes the outputs. Autograd does not record the ops in this method. */
    protected abstract Tensor[] forward(Context context, Tensor... inputs);

    /** Computes the gradients of the inputs from those of the outputs. The gradient of an input may be null if none flows to it. */
    protected abstract @Nullable Tensor[] backward(Context context, Tensor... gradients);

    /**
     * Applies the function. Backward calls {@link #backward} if an input requires gradients.
     *
     * {@snippet file="TrainingExamplesTest.java" region="customFunction"}
     */
    public final Tensor[] apply(Tensor... inputs) {
        Context context = new Context();
        BatchLevel level = BatchLevel.of(inputs);
        boolean isMapped =
                level != null && GradMode.isEnabled() && Arrays.stream(inputs).anyMatch(Batching::requiresGrad);
        Tensor[] outputs = isMapped
                ? MappedFunction.apply(level, this, context, inputs)
                : GradMode.with(false, () -> forward(context, inputs));
        boolean recorded = GradMode.isEnabled() && Arrays.stream(inputs).anyMatch(Tensor::requiresGrad);
        if (recorded) {
            attach(context, inputs, outputs);
        } else if (!isMapped) {
            context.release();
        }
        return outputs;
    }

    private void attach(Context context, Tensor[] inputs, Tensor[] outputs) {
        Edge[] edges = Arrays.stream(inputs).map(States::gradientEdge).toArray(Edge[]::new);
        FunctionNode node = new CustomNode(edges, context, outputs.length);
        for (int index = 0; index < outputs.length; index++) {
            outputs[index] = detached(outputs[index], inputs);
            States.variable(outputs[index]).computedBy(new Edge(node, index));
        }
    }

    /**
     * Detaches an output that is an input or a view of an input. Otherwise the input itself would get this function's
     * node, and the gradient of a view would have the shape of the viewed tensor.
     */
    private static Tensor detached(Tensor output, Tensor[] inputs) {
        boolean isShared = Arrays.stream(inputs).anyMatch(input -> States.variable(input) == States.variable(output));
        if (!isShared && States.layout(output).equals(States.variable(output).root())) {
            return output;
        }
        Layout layout = States.layout(output);
        Tensor apart = (Tensor) States.tensor(new Variable(States.cell(output), layout), layout);
        return layout.isInjective() ? apart : apart.clone();
    }

    private final class CustomNode extends FunctionNode {
        private final Context context;
        private final int outputs;

        CustomNode(Edge[] edges, Context context, int outputs) {
            super(edges);
            this.context = context;
            this.outputs = outputs;
        }

        @Override
        public int outputs() {
            return outputs;
        }

        @Override
        public TensorState[] backward(TensorState[] gradients) {
            @Nullable Tensor[] results = CustomFunction.this.backward(context, Dispatch.tensors(gradients));
            if (results.length != edges().length) {
                throw new OpException(
                        "backward",
                        label() + " must answer a gradient for each input, got " + results.length + " for "
                                + edges().length);
            }
            return results;
        }

        @Override
        public boolean isForeign() {
            // A user-defined function may keep references to its inputs and results.
            return !(CustomFunction.this instanceof LibraryFunction);
        }

        @Override
        protected boolean hasSaved() {
            return !context.saved.isEmpty();
        }

        @Override
        protected void closeSaved() {
            context.release();
        }

        @Override
        public String label() {
            return CustomFunction.this instanceof LibraryFunction library
                    ? library.name()
                    : CustomFunction.this.getClass().getSimpleName();
        }
    }

    /**
     * A custom function called inside a map, as the code around the map sees it: forward and backward handle all examples at once. An
     * input that is the same for all examples gets the sum of their gradients.
     */
    private static final class MappedFunction extends LibraryFunction {
        private final BatchLevel level;
        private final CustomFunction function;
        private final Context ofFunction;
        private final boolean[] isMapped;

        private MappedFunction(BatchLevel level, CustomFunction function, Context ofFunction, boolean[] isMapped) {
            this.level = level;
            this.function = function;
            this.ofFunction = ofFunction;
            this.isMapped = isMapped;
        }

        /** Computes the function's results for one example. They are not on the map's own graph yet. */
        static Tensor[] apply(BatchLevel level, CustomFunction function, Context context, Tensor... inputs) {
            boolean[] isMapped = new boolean[inputs.length];
            Tensor[] all = new Tensor[inputs.length];
            for (int index = 0; index < inputs.length; index++) {
                isMapped[index] = Batching.isExample(level, inputs[index]);
                all[index] = isMapped[index] ? Batching.all(level, inputs[index]) : inputs[index];
            }
            Tensor[] results = new MappedFunction(level, function, context, isMapped).apply(all);
            return Arrays.stream(results)
                    .map(result -> Batching.example(level, result))
                    .toArray(Tensor[]::new);
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            Tensor[] examples = new Tensor[inputs.length];
            Arrays.setAll(examples, index -> isMapped[index] ? Batching.example(level, inputs[index]) : inputs[index]);
            return level.inside(() -> Arrays.stream(function.forward(ofFunction, examples))
                    .map(result -> Batching.all(level, result))
                    .toArray(Tensor[]::new));
        }

        @Override
        protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
            return level.inside(() -> {
                @Nullable
                Tensor[] examples = Arrays.stream(gradients)
                        .map(gradient -> gradient == null ? null : Batching.example(level, gradient))
                        .toArray(Tensor[]::new);
                @Nullable Tensor[] results = function.backward(ofFunction, examples);
                Arrays.setAll(results, index -> results[index] == null ? null : ofInput(index, results[index]));
                return results;
            });
        }

        private Tensor ofInput(int index, Tensor gradient) {
            Tensor all = Batching.all(level, gradient);
            return isMapped[index] ? all : all.sum(0, false);
        }
    }
}
