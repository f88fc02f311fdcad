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
 * Converts between one example, which a mapped function sees, and all examples. The tensor of an example is a handle over the storage
 * of all examples. An op on it is applied to all examples by the op's rule in {@link BatchingRules}. Rules consist of tensor ops, so
 * gradients flow through a map, and maps nest.
 */
public final class Batching extends BatchLevel {
    public Batching(long size, Randomness randomness) {
        super(size, randomness);
    }

    /** Returns the tensor that stands for one example of {@code [examples, ...]} in the mapped function. */
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

    /** Returns a separate handle on a tensor that covers its whole storage. */
    private static TensorState whole(TensorState all) {
        return States.isWhole(all) ? States.snapshot(all) : all.clone();
    }

    /** Returns all examples of a mapped function's result, {@code [examples, ...]}. */
    public static <T extends TensorState> T all(BatchLevel level, T example) {
        return MappedCall.all(level, example);
    }

    /** True if a tensor differs between examples. */
    public static boolean isExample(BatchLevel level, TensorState tensor) {
        return MappedCall.isMapped(level, tensor);
    }

    @Override
    public TensorState[] apply(Op op, Operand[] operands) {
        MappedCall call = new MappedCall(this, op, operands);
        return examples(this, () -> BatchingRules.apply(call));
    }

    /** Wraps the results for all examples as tensors of one example. Closes intermediate values. */
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
                yield examples(this, () -> new TensorState[] {OpRecording.make(device, drawn)})[0];
            }
        };
    }

    /** True if gradients flow through a tensor, in this map or around it. */
    public static boolean requiresGrad(TensorState tensor) {
        BatchedTensor batched = States.cell(tensor).batch();
        return tensor.requiresGrad() || batched != null && requiresGrad(batched.physical());
    }

    @Override
    public Cell written(TensorState source) {
        return States.cell(examples(this, () -> new TensorState[] {MappedCall.all(this, source)})[0]);
    }
}
