package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.ops.ScatterReduce;
import org.jspecify.annotations.Nullable;

/**
 * The extremes of segments. As in PyTorch, the elements that equal the extreme of their segment share its gradient. If the extreme is NaN,
 * the NaN elements share it. The start values get no share.
 */
public final class SegmentExtreme extends LibraryFunction {
    private final int axis;
    private final ScatterReduce reduction;

    private SegmentExtreme(int axis, ScatterReduce reduction) {
        this.axis = axis;
        this.reduction = reduction;
    }

    /**
     * @param positions the segment of each element
     * @param starts of the segments
     */
    public static Tensor of(Tensor data, Tensor positions, int axis, Tensor starts, ScatterReduce reduction) {
        return new SegmentExtreme(axis, reduction).apply(data, positions, starts)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        Tensor extremes = inputs[2].scatterReduce(axis, inputs[1], inputs[0], reduction, true);
        context.save(inputs[0], inputs[1], extremes);
        return new Tensor[] {extremes};
    }

    @Override
    protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
        Tensor data = context.saved(0);
        Tensor positions = context.saved(1);
        Tensor extremes = context.saved(2);
        return new @Nullable Tensor[] {
            Scope.tidy(() -> {
                Tensor isChosen = data.eq(extremes.gather(axis, positions)).logicalOr(data.isnan());
                Tensor counts = gradients[0].zerosLike().scatterAdd(axis, positions, isChosen.to(gradients[0].dtype()));
                Tensor shares = gradients[0].gather(axis, positions).div(counts.gather(axis, positions));
                return Gradients.masked(isChosen, shares);
            }),
            null,
            null
        };
    }
}
