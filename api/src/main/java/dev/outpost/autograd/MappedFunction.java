package dev.outpost.autograd;

import dev.outpost.Tensor;
import dev.outpost.internal.functions.LibraryFunction;
import dev.outpost.internal.vmap.BatchLevel;
import dev.outpost.internal.vmap.Batching;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A function with a gradient of its own that a mapped function calls, as what is around the map sees it: of all examples at once, both
 * ways. An input that is the same for all examples gets the sum of their gradients.
 */
final class MappedFunction extends LibraryFunction {
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

    /** Computes the function's results for one example, which the map's own graph does not know yet. */
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
