package dev.outpost.internal.vmap;

import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.Cell;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorScope;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Variable;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Between one example, which a mapped function sees, and all of them. An example's tensor is a handle over the storage of all
 * examples. What is done to it is done to them by the op's rule in {@link BatchingRules}, with tensor ops, so that gradients flow
 * through a map, and maps nest.
 */
public final class Batching extends BatchLevel {
    public Batching(long size, Randomness randomness) {
        super(size, randomness);
    }

    /** One example of {@code [examples, ...]}, for the function that is mapped. */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> T example(BatchLevel level, T all) {
        TensorState physical = TensorScope.unscoped(() -> whole(all));
        return (T) over(new BatchedTensor(level, physical), all.shape());
    }

    private static TensorState over(BatchedTensor batched, Shape all) {
        Shape one = Shape.of(Arrays.copyOfRange(all.toArray(), 1, all.rank()));
        Layout layout = Layout.contiguous(one);
        return States.tensor(new Variable(Cell.of(batched, one.elements()), layout), layout);
    }

    /** A handle of one's own, on something that is all of its storage. */
    private static TensorState whole(TensorState all) {
        return States.isWhole(all) ? States.snapshot(all) : all.clone();
    }

    /** All examples of what a mapped function answers, {@code [examples, ...]}. */
    public static <T extends TensorState> T all(BatchLevel level, T example) {
        return MappedCall.all(level, example);
    }

    /** Whether a tensor differs from example to example. */
    public static boolean isExample(BatchLevel level, TensorState tensor) {
        return MappedCall.isMapped(level, tensor);
    }

    @Override
    public TensorState[] apply(Op op, Operand[] operands) {
        MappedCall call = new MappedCall(this, op, operands);
        return examples(this, () -> BatchingRules.apply(call));
    }

    /** The results for all examples, as those of one. Intermediate values are closed. */
    private static TensorState[] examples(BatchLevel level, Supplier<TensorState[]> body) {
        TensorState[] all = TensorScope.unscoped(() -> level.outside(() -> {
            try (TensorScope scope = TensorScope.openTidy()) {
                TensorState[] results = body.get();
                for (int index = 0; index < results.length; index++) {
                    results[index] = scope.keep(whole(results[index]));
                }
                return results;
            }
        }));
        TensorState[] examples = new TensorState[all.length];
        for (int index = 0; index < all.length; index++) {
            examples[index] = over(new BatchedTensor(level, all[index]), all[index].shape());
        }
        return examples;
    }

    @Override
    public TensorState random(TensorDevice device, Random op) {
        return switch (randomness()) {
            case ERROR ->
                throw new OpException(
                        SourceLine.calledOp(),
                        "a function that is mapped by vmap draws no random numbers unless the map says whether they are"
                                + " the same or different for each example");
            case SAME -> outside(() -> OpRecording.make(device, op));
            case DIFFERENT -> {
                TensorType all = new TensorType(op.type().dtype(), allOf(op.shape()));
                Random drawn = new Random(op.fn(), all, op.seed(), op.call(), op.low(), op.high());
                yield examples(this, () -> array(OpRecording.make(device, drawn)))[0];
            }
        };
    }

    /** An array of the kind that the tensor's machine makes. */
    static TensorState[] array(TensorState only) {
        TensorState[] array = States.home(only).factory().array(1);
        array[0] = only;
        return array;
    }

    /** Whether gradients flow through a tensor, in this map or in what is around it. */
    public static boolean requiresGrad(TensorState tensor) {
        BatchedTensor batched = States.cell(tensor).batch();
        return tensor.requiresGrad() || batched != null && requiresGrad(batched.physical());
    }

    @Override
    public Cell written(TensorState source) {
        return States.cell(examples(this, () -> array(MappedCall.all(this, source)))[0]);
    }
}
