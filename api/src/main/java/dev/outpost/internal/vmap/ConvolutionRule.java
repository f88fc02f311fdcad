package dev.outpost.internal.vmap;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.ops.Shapes;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.types.Shape;

/**
 * The rule for convolutions with input {@code [batch, channels, ...]}, weight {@code [outputs, channels of a group, ...]} and output
 * {@code [batch, outputs, ...]}. If the weight is the same for all examples, they are merged into the batch, else into the groups.
 */
final class ConvolutionRule {
    private ConvolutionRule() {}

    /** The three tensors of a convolution. */
    private enum Part {
        INPUT,
        WEIGHT,
        OUTPUT
    }

    static TensorState apply(Convolution op, MappedCall call) {
        return switch (op.fn()) {
            case FORWARD -> apply(op, call, Part.INPUT, Part.WEIGHT, Part.OUTPUT);
            case INPUT -> apply(op, call, Part.WEIGHT, Part.OUTPUT, Part.INPUT);
            case WEIGHT -> apply(op, call, Part.INPUT, Part.OUTPUT, Part.WEIGHT);
        };
    }

    private static TensorState apply(Convolution op, MappedCall call, Part first, Part second, Part result) {
        boolean isWeightMapped = result == Part.WEIGHT
                || first == Part.WEIGHT && call.isMapped(0)
                || second == Part.WEIGHT && call.isMapped(1);
        if (!isWeightMapped) {
            TensorState folded = OpRecording.apply(op, ofBatch(call, 0, first), ofBatch(call, 1, second));
            return BatchingRules.unfolded(folded, call.level());
        }
        int groups = Math.toIntExact(op.groups() * call.level().size());
        Convolution grouped = new Convolution(op.fn(), op.rows(), op.columns(), groups, op.plane());
        TensorState joined = OpRecording.apply(grouped, ofGroups(call.all(0), first), ofGroups(call.all(1), second));
        return splitBatch(joined, result, call.level());
    }

    private static TensorState ofBatch(MappedCall call, int index, Part part) {
        return part == Part.WEIGHT ? call.common(index) : BatchingRules.folded(call.all(index));
    }

    /** Merges the examples into the dimension that groups divide. */
    private static TensorState ofGroups(TensorState all, Part part) {
        return part == Part.WEIGHT
                ? StateViews.flatten(all, 0, 1)
                : StateViews.flatten(StateViews.movedim(all, 0, 1), 1, 2);
    }

    private static TensorState splitBatch(TensorState joined, Part part, BatchLevel level) {
        if (part == Part.WEIGHT) {
            return BatchingRules.unfolded(joined, level);
        }
        long channels = joined.shape().size(1) / Math.max(1, level.size());
        Shape split = Shapes.unflatten(joined.shape(), 1, level.size(), channels);
        return StateViews.movedim(StateViews.reshape(joined, split), 1, 0);
    }
}
