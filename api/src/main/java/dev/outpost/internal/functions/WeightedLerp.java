package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** As {@link Lerp}, of a share for each element. */
public final class WeightedLerp extends LibraryFunction {
    public static Tensor of(Tensor start, Tensor end, Tensor share) {
        return new WeightedLerp().apply(start, end, share)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> between(inputs[0], inputs[1], inputs[2]))};
    }

    private static Tensor between(Tensor start, Tensor end, Tensor share) {
        Tensor way = end.sub(start);
        Tensor fromStart = start.add(way.mul(share));
        Tensor fromEnd = end.sub(way.mul(share.rsub(1)));
        return fromStart.where(share.abs().lt(0.5), fromEnd);
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor start = context.saved(0);
        Tensor end = context.saved(1);
        Tensor share = context.saved(2);
        Tensor g = gradients[0];
        return new Tensor[] {
            Scope.tidy(() -> g.mul(share.rsub(1)).sumToSize(start.shape())),
            Scope.tidy(() -> g.mul(share).sumToSize(end.shape())),
            Scope.tidy(() -> g.mul(end.sub(start)).sumToSize(share.shape()))
        };
    }
}
