package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Numerics;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A composed function with explicit gradients. It is used if the chain rule would give other gradients than PyTorch, or would save a
 * factor for each step. Each function is defined by lambdas in {@link ElementwiseFunctions} or {@link FoldFunctions}.
 */
public final class DerivedFunction extends LibraryFunction {
    /** Computes the gradient of one input by tensor ops, which can be differentiated again. */
    @FunctionalInterface
    interface Gradient {
        Tensor of(Tensor[] inputs, Tensor ofResult);
    }

    private final String name;
    private final Function<Tensor[], Tensor> value;
    private final boolean isBroadcast;
    private final @Nullable Gradient[] gradients;

    private DerivedFunction(
            String name, Function<Tensor[], Tensor> value, boolean isBroadcast, @Nullable Gradient... gradients) {
        this.name = name;
        this.value = value;
        this.isBroadcast = isBroadcast;
        this.gradients = gradients;
    }

    /** @param gradients one gradient for each input; null if none flows */
    static DerivedFunction of(String name, Function<Tensor[], Tensor> value, @Nullable Gradient... gradients) {
        return new DerivedFunction(name, value, false, gradients);
    }

    /** Returns a function of inputs that broadcast: each gradient is summed to the shape of its input. */
    static DerivedFunction broadcast(String name, Function<Tensor[], Tensor> value, Gradient... gradients) {
        return new DerivedFunction(name, value, true, gradients);
    }

    /**
     * Returns a function of each element. It is computed at least in float32, so that cancellation does not lose too
     * many digits.
     */
    static DerivedFunction elementwise(String name, UnaryOperator<Tensor> value, BinaryOperator<Tensor> gradient) {
        return of(
                name,
                inputs -> value.apply(Numerics.wide(inputs[0])).to(Numerics.resultDType(inputs[0])),
                (inputs, ofResult) -> gradient.apply(Numerics.wide(inputs[0]), Numerics.wide(ofResult))
                        .to(inputs[0].dtype()));
    }

    /**
     * Returns a function of each element with a derivative: the gradient is the gradient of the result times the
     * derivative.
     */
    static DerivedFunction sloped(String name, UnaryOperator<Tensor> value, UnaryOperator<Tensor> slope) {
        return elementwise(name, value, (x, ofResult) -> ofResult.mul(slope.apply(x)));
    }

    public Tensor of(Tensor... inputs) {
        return apply(inputs)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> value.apply(inputs))};
    }

    @Override
    protected @Nullable Tensor[] backward(Context context, Tensor... ofResults) {
        Tensor[] inputs = new Tensor[gradients.length];
        for (int input = 0; input < inputs.length; input++) {
            inputs[input] = context.saved(input);
        }
        @Nullable Tensor[] results = new @Nullable Tensor[gradients.length];
        for (int input = 0; input < results.length; input++) {
            Tensor x = inputs[input];
            Gradient gradient = gradients[input];
            results[input] = gradient == null
                    ? null
                    : Scope.tidy(() -> {
                        Tensor ofInput = gradient.of(inputs, ofResults[0]);
                        return isBroadcast ? ofInput.sumToSize(x.shape()) : ofInput;
                    });
        }
        return results;
    }

    @Override
    public String name() {
        return name;
    }
}
