package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import java.util.function.UnaryOperator;

/** (Σ x^p)^(1/p) of each window. */
public abstract class LPPoolLayer extends FunctionLayer {
    /** @param sums adds the elements of each window */
    LPPoolLayer(double p, long window, long stride, boolean ceil, UnaryOperator<Tensor> sums) {
        super(
                "norm_type=" + number(p) + ", kernel_size=" + window + ", stride=" + stride + ", ceil_mode="
                        + flag(ceil),
                input -> Scope.tidy(() -> root(sums.apply(input.pow(p)), p)));
    }

    private static Tensor root(Tensor sums, double p) {
        return sums.sign().mul(sums.abs().relu()).pow(1 / p);
    }
}
