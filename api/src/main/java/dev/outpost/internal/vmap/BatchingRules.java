package dev.outpost.internal.vmap;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Attention;
import dev.outpost.protocol.op.AttentionGradient;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Convolution;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Factorization;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** The table of rules that apply each primitive to all examples at once. Results have the dimension of examples in front. */
final class BatchingRules {
    private BatchingRules() {}

    static TensorState[] apply(MappedCall call) {
        return switch (call.op()) {
            case Unary op -> ofAll(op, call);
            case Cast op -> ofAll(op, call);
            case IndexCheck op -> ofAll(op, call);
            case Binary op -> elementwise(op, call);
            case Ternary op -> elementwise(op, call);
            case Reduce op -> ofAll(new Reduce(op.fn(), new Axes(op.axes().bits() << 1), op.keepDims()), call);
            case ArgReduce op -> ofAll(new ArgReduce(op.fn(), op.axis() + 1, op.keepDims()), call);
            case Cumulative op -> ofAll(new Cumulative(op.fn(), op.axis() + 1), call);
            case Sort op -> ofAll(new Sort(op.axis() + 1, op.descending()), call);
            case Concat op -> ofAll(new Concat(op.axis() + 1), call);
            case Factorization op -> ofAll(op, call);
            case StridedWrite op -> one(IndexRules.stridedWrite(op, call));
            case Gather op -> ofAll(new Gather(op.axis() + 1, op.names()), call);
            case Scatter op -> ofAll(new Scatter(op.fn(), op.axis() + 1, op.names()), call);
            case IndexSelect op -> one(IndexRules.select(op, call));
            case IndexWrite op -> one(IndexRules.write(op, call));
            case Matmul op -> one(matmul(op, call));
            case Convolution op -> one(ConvolutionRule.apply(op, call));
            case MaxPool op -> folded(op, call);
            case Attention op -> AttentionRules.apply(op, 3, call);
            case AttentionGradient op -> AttentionRules.apply(op, 6, call);
            case PagedAttention op -> throw refusal(op);
            case QuantizedMatmul op -> throw refusal(op);
            case QuantizedMatmulInput op -> throw refusal(op);
            case PlacementOp op -> throw refusal(op);
            case Nonzero op -> throw BatchLevel.refusal(op.label());
            case Fill op -> throw refusal(op);
            case Arange op -> throw refusal(op);
            case Random op -> throw refusal(op);
        };
    }

    private static OpException refusal(Op op) {
        return new OpException(op.label(), "vmap has no batching rule for " + op.label() + "; use a loop");
    }

    private static TensorState[] one(TensorState result) {
        return new TensorState[] {result};
    }

    /** Applies the rule for an op that treats each row like one example. */
    private static TensorState[] ofAll(Op op, MappedCall call) {
        Operand[] all = new Operand[call.count()];
        Arrays.setAll(all, call::all);
        return OpRecording.applyAll(op, all);
    }

    private static TensorState[] elementwise(Op op, MappedCall call) {
        int rank = 0;
        for (int index = 0; index < call.count(); index++) {
            rank = Math.max(rank, call.rank(index));
        }
        Operand[] all = new Operand[call.count()];
        for (int index = 0; index < all.length; index++) {
            all[index] = call.aligned(index, rank);
        }
        return OpRecording.applyAll(op, all);
    }

    /** If one matrix is the same for all examples, computes one product, else a batch of products. */
    private static TensorState matmul(Matmul op, MappedCall call) {
        boolean areMatrices = call.rank(0) == 2;
        if (areMatrices && !call.isMapped(1)) {
            TensorState product = OpRecording.apply(op, folded(call.all(0)), call.common(1));
            return unfolded(product, call.level());
        }
        if (areMatrices) {
            return OpRecording.apply(op, call.all(0), call.all(1));
        }
        return unfolded(OpRecording.apply(op, folded(call.all(0)), folded(call.all(1))), call.level());
    }

    /**
     * Applies the rule for an op whose first dimension is a batch already: the examples are merged into the batch.
     */
    private static TensorState[] folded(Op op, MappedCall call) {
        Operand[] all = new Operand[call.count()];
        Arrays.setAll(all, index -> folded(call.all(index)));
        TensorState[] results = OpRecording.applyAll(op, all);
        Arrays.setAll(results, index -> unfolded(results[index], call.level()));
        return results;
    }

    /** Reshapes {@code [examples, batch, ...]} to {@code [examples · batch, ...]}. */
    static TensorState folded(TensorState all) {
        return StateViews.flatten(all, 0, 1);
    }

    static TensorState unfolded(TensorState folded, BatchLevel level) {
        long[] sizes = level.allOf(folded.shape()).toArray();
        sizes[1] /= Math.max(1, level.size());
        return StateViews.reshape(folded, Shape.of(sizes));
    }
}
