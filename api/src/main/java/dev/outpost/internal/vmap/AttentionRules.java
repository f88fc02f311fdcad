package dev.outpost.internal.vmap;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Of attention and its gradient: the examples are more of the batch. */
final class AttentionRules {
    private AttentionRules() {}

    /** @param withoutMask how many operands there are before a mask */
    static TensorState[] apply(Op op, int withoutMask, MappedCall call) {
        Operand[] all = new Operand[call.count()];
        Arrays.setAll(all, index -> BatchingRules.folded(index == withoutMask ? mask(call, index) : call.all(index)));
        TensorState[] results = OpRecording.applyAll(op, all);
        Arrays.setAll(results, index -> BatchingRules.unfolded(results[index], call.level()));
        return results;
    }

    /** A mask may be one for the whole batch. */
    private static TensorState mask(MappedCall call, int index) {
        long[] sizes = call.level().allOf(call.shape(index)).toArray();
        sizes[1] = call.shape(0).size(0);
        return StateViews.expand(call.all(index), Shape.of(sizes));
    }
}
