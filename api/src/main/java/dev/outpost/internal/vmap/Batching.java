package dev.outpost.internal.vmap;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Internals;
import dev.outpost.internal.Operand;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.graph.Variable;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Between one example, which a mapped function sees, and all of them. An example's tensor is a handle over the storage of all
 * examples. What is done to it is done to them by the op's rule in {@link BatchingRules}, with tensor ops, so that gradients flow
 * through a map, and maps nest.
 */
public final class Batching {
    private Batching() {}

    /** One example of {@code [examples, ...]}, for the function that is mapped. */
    public static Tensor example(BatchLevel level, Tensor all) {
        Tensor physical = Internals.unscoped(() -> whole(all));
        return over(new BatchedTensor(level, physical), all.shape());
    }

    private static Tensor over(BatchedTensor batched, Shape all) {
        Shape one = Shape.of(Arrays.copyOfRange(all.toArray(), 1, all.rank()));
        Layout layout = Layout.contiguous(one);
        return Internals.tensor(new Variable(Cell.of(batched, one.elements()), layout), layout);
    }

    /** A handle of one's own, on something that is all of its storage. */
    private static Tensor whole(Tensor all) {
        return Internals.isWhole(all) ? Internals.snapshot(all) : all.clone();
    }

    /** All examples of what a mapped function answers, {@code [examples, ...]}. */
    public static Tensor all(BatchLevel level, Tensor example) {
        return MappedCall.all(level, example);
    }

    /** Whether a tensor differs from example to example. */
    public static boolean isExample(BatchLevel level, Tensor tensor) {
        return MappedCall.isMapped(level, tensor);
    }

    /** Applies an op to all examples; the results are those of one. */
    public static Tensor[] apply(BatchLevel level, Op op, Operand[] operands) {
        MappedCall call = new MappedCall(level, op, operands);
        return examples(level, () -> BatchingRules.apply(call));
    }

    /** The results for all examples, as those of one. Intermediate values are closed. */
    private static Tensor[] examples(BatchLevel level, Supplier<Tensor[]> body) {
        Tensor[] all = Internals.unscoped(() -> level.outside(() -> {
            try (Scope scope = Internals.openTidyScope()) {
                Tensor[] results = body.get();
                for (int index = 0; index < results.length; index++) {
                    results[index] = scope.keep(whole(results[index]));
                }
                return results;
            }
        }));
        Tensor[] examples = new Tensor[all.length];
        for (int index = 0; index < all.length; index++) {
            examples[index] = over(new BatchedTensor(level, all[index]), all[index].shape());
        }
        return examples;
    }

    /** Draws for the function that this thread maps, as the map says. */
    public static Tensor random(TensorDevice device, Random op) {
        BatchLevel level = BatchLevel.current();
        if (level == null) {
            return Dispatch.drawn(device, op);
        }
        return switch (level.randomness()) {
            case ERROR ->
                throw new OpException(
                        SourceLine.calledOp(),
                        "a function that is mapped by vmap draws no random numbers unless the map says whether they are"
                                + " the same or different for each example");
            case SAME -> level.outside(() -> random(device, op));
            case DIFFERENT -> {
                TensorType all = new TensorType(op.type().dtype(), level.allOf(op.shape()));
                Random drawn = new Random(op.fn(), all, op.seed(), op.call(), op.low(), op.high());
                yield examples(level, () -> new Tensor[] {random(device, drawn)})[0];
            }
        };
    }

    /** Whether gradients flow through a tensor, in this map or in what is around it. */
    public static boolean requiresGrad(Tensor tensor) {
        BatchedTensor batched = Internals.cell(tensor).batch();
        return tensor.requiresGrad() || batched != null && requiresGrad(batched.physical());
    }

    /**
     * What is written to a storage, which may be that of one example: where the source is the same for all examples, it is repeated. Fails
     * where the source differs from example to example and the target does not.
     */
    public static Cell written(Cell target, Tensor source) {
        Cell cell = Internals.cell(source);
        BatchedTensor into = target.batch();
        BatchedTensor from = cell.batch();
        if (isOf(from, into)) {
            return cell;
        }
        if (into == null || from != null && from.level().isInside(into.level())) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a tensor that is the same for all examples of a mapped function cannot be written in place with one"
                            + " that differs; use the op that makes a new tensor");
        }
        BatchLevel level = into.level();
        return Internals.cell(examples(level, () -> new Tensor[] {MappedCall.all(level, source)})[0]);
    }

    private static boolean isOf(@Nullable BatchedTensor one, @Nullable BatchedTensor other) {
        return one == null ? other == null : other != null && one.level() == other.level();
    }

    /** The same examples, out of the sight of autograd around the map. */
    public static BatchedTensor detached(BatchedTensor batched) {
        return new BatchedTensor(
                batched.level(),
                Internals.unscoped(
                        () -> GradMode.noGrad(() -> batched.physical().detach())));
    }
}
