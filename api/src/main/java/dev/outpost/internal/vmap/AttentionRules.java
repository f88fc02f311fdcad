package dev.outpost.internal.vmap;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.StateViews;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Op;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** The rules of attention and its gradient. The examples are merged into the batch dimension. */
final class AttentionRules {
    private AttentionRules() {}

    /** @param withoutMask the number of operands before a mask */
    static TensorState[] apply(Op op, int withoutMask, MappedCall call) {
        Operand[] all = new Operand[call.count()];
        Arrays.setAll(all, index -> BatchingRules.folded(index == withoutMask ? mask(call, index) : call.all(index)));
        TensorState[] results = OpRecording.applyAll(op, all);
        Arrays.setAll(results, index -> BatchingRules.unfolded(results[index], call.level()));
        return results;
    }

    /** Returns the mask, which may be the same for the whole batch. */
    private static TensorState mask(MappedCall call, int index) {
        long[] sizes = call.level().allOf(call.shape(index)).toArray();
        sizes[1] = call.shape(0).size(0);
        return StateViews.expand(call.all(index), Shape.of(sizes));
    }
}
