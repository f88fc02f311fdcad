package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.ops.Numerics;

/** A number that was chosen among all elements of a tensor: those that equal it share its gradient, NaN where it is NaN. */
public final class ChosenElement extends LibraryFunction {
    private static final ChosenElement FUNCTION = new ChosenElement();

    private ChosenElement() {}

    /** @param chosen from the elements, without a gradient of its own */
    public static Tensor of(Tensor elements, Tensor chosen) {
        return Numerics.isRecorded(elements) ? FUNCTION.apply(elements, chosen)[0] : chosen;
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {inputs[1]};
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor elements = context.saved(0);
        Tensor chosen = context.saved(1);
        return new Tensor[] {
            Scope.tidy(() -> {
                Tensor areNan = elements.isnan().logicalAnd(chosen.isnan());
                Tensor areEqual = elements.eq(chosen).logicalOr(areNan);
                Tensor share = gradients[0].div(areEqual.sum());
                return share.expand(elements.shape()).maskedFill(areEqual.logicalNot(), 0);
            }),
            null
        };
    }
}
