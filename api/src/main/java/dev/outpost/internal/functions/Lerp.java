package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** start + share · (end - start) of one share for all, from the nearer end; the gradients are those of (1 - share) · start + share · end. */
public final class Lerp extends LibraryFunction {
    private final double share;

    private Lerp(double share) {
        this.share = share;
    }

    public static Tensor of(Tensor start, Tensor end, double share) {
        return new Lerp(share).apply(start, end)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> between(inputs[0], inputs[1]))};
    }

    private Tensor between(Tensor start, Tensor end) {
        Tensor way = end.sub(start);
        return Math.abs(share) < 0.5 ? start.add(way.mul(share)) : end.sub(way.mul(1 - share));
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        return new Tensor[] {
            Scope.tidy(
                    () -> gradients[0].mul(1 - share).sumToSize(context.saved(0).shape())),
            Scope.tidy(() -> gradients[0].mul(share).sumToSize(context.saved(1).shape()))
        };
    }
}
