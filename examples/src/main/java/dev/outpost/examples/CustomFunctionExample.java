package dev.outpost.examples;

import dev.outpost.Tensor;
import dev.outpost.autograd.CustomFunction;

/** A custom op with its own gradient: rounding that passes gradients through unchanged. */
public final class CustomFunctionExample {
    private CustomFunctionExample() {}

    /** The straight-through estimator (Bengio et al., 2013). */
    static final class RoundStraightThrough extends CustomFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            return new Tensor[] {inputs[0].round()};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {gradients[0]};
        }
    }

    public static void main(String[] args) {
        try (var machine = ExampleArguments.of(args).machine()) {
            Tensor x = machine.linspace(-1, 1, 5).requiresGrad(true);
            Tensor rounded = new RoundStraightThrough().apply(x)[0];
            rounded.mul(rounded).sum().backward();
            System.out.println("rounded:  " + rounded.detach());
            System.out.println("gradient: " + x.grad());
        }
    }
}
