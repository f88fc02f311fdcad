package dev.outpost.internal.functions;

import dev.outpost.internal.Recording;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.types.DType;
import java.util.function.UnaryOperator;

/** The logarithm of a sum of two powers, without overflow, of halves in float32. A power's share of the sum is its gradient. */
public final class LogOfSum extends LibraryFunction {
    public static final LogOfSum NATURAL = new LogOfSum(Tensor::exp, 1);
    public static final LogOfSum BINARY = new LogOfSum(Tensor::exp2, Math.log(2));

    private final UnaryOperator<Tensor> power;
    private final double logOfBase;

    private LogOfSum(UnaryOperator<Tensor> power, double logOfBase) {
        this.power = power;
        this.logOfBase = logOfBase;
    }

    public Tensor of(Tensor x, Tensor y) {
        DType dtype = Recording.floatingType(x, y);
        return Scope.tidy(() -> apply(x.to(dtype), y.to(dtype))[0]);
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {
            Scope.tidy(() ->
                    value(Numerics.wide(inputs[0]), Numerics.wide(inputs[1])).to(inputs[0].dtype()))
        };
    }

    private Tensor value(Tensor x, Tensor y) {
        Tensor rest = power.apply(distance(x, y).neg()).log1p();
        return x.maximum(y).add(logOfBase == 1 ? rest : rest.div(logOfBase));
    }

    /** |x - y|, and 0 where both are the same infinity. */
    private static Tensor distance(Tensor x, Tensor y) {
        return x.sub(y).maskedFill(x.eq(y), 0).abs();
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor x = context.saved(0);
        Tensor y = context.saved(1);
        return new Tensor[] {
            gradients[0].div(power.apply(y.sub(x)).add(1)).sumToSize(x.shape()),
            gradients[0].div(power.apply(x.sub(y)).add(1)).sumToSize(y.shape())
        };
    }
}
