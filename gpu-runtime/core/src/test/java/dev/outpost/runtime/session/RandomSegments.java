package dev.outpost.runtime.session;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * A few segments of random instructions over values of several shapes and dtypes: shared operands, views and writes through views,
 * numbers, repeated computations, reductions in between, values that are dropped at their last use or unused, failing integer divisions
 * and indices.
 */
final class RandomSegments {
    private static final long[][] SHAPES = {
        {},
        {5},
        {3, 5},
        {5, 3},
        {4, 1, 5},
        {4, 3, 5},
        {1, 5},
        {70, 1},
        {1, 33},
        {18, 1},
        {18, 20},
        {18, 20},
        {20},
        {18},
        {9, 2, 20},
        {2, 200},
        {2, 1}
    };
    private static final DType[] DTYPES = {
        DType.FLOAT32,
        DType.FLOAT32,
        DType.FLOAT32,
        DType.FLOAT64,
        DType.FLOAT16,
        DType.BFLOAT16,
        DType.INT32,
        DType.INT8,
        DType.UINT8,
        DType.INT64,
        DType.BOOL
    };
    /** The sign of a NaN, which copysign would show, depends on the processor. */
    private static final List<Binary> BINARIES =
            Stream.of(Binary.values()).filter(op -> op != Binary.COPYSIGN).toList();

    private static final int ATTEMPTS = 20;

    /** An instruction that can be recorded again. */
    private record Recorded(Op op, List<?> operands, TensorType type) {}

    private final List<Recorded> recorded = new ArrayList<>();
    private final Random random;
    private final Map<Long, TensorType> live = new LinkedHashMap<>();
    private final List<SegmentBuilder> segments = new ArrayList<>();
    private SegmentBuilder segment;
    private long lastId;

    private RandomSegments(long seed) {
        random = new Random(seed);
    }

    /** @param instructions the approximate number of instructions */
    static RandomSegments of(long seed, int instructions) {
        RandomSegments program = new RandomSegments(seed);
        int cuts = 1 + program.random.nextInt(3);
        for (int cut = 0; cut < cuts; cut++) {
            program.record(instructions / cuts);
        }
        return program;
    }

    List<SegmentBuilder> segments() {
        return segments;
    }

    /** The values that were computed and not dropped. */
    List<Long> values() {
        return List.copyOf(live.keySet());
    }

    DType dtype(long value) {
        return live.get(value).dtype();
    }

    private void record(int instructions) {
        segment = new SegmentBuilder();
        segments.add(segment);
        for (int literal = 0; literal < 4; literal++) {
            literal();
        }
        for (int instruction = 0; instruction < instructions; instruction++) {
            instruction();
            if (random.nextInt(16) == 0) {
                update();
            }
            if (live.size() > 12 && random.nextInt(3) > 0) {
                drop(anyValue(id -> true));
            }
        }
    }

    private void drop(long value) {
        live.remove(value);
        segment.drop(value);
    }

    private void literal() {
        TensorType type =
                new TensorType(DTYPES[random.nextInt(DTYPES.length)], Shape.of(SHAPES[random.nextInt(SHAPES.length)]));
        byte[] elements = new byte[Math.toIntExact(type.bytes())];
        random.nextBytes(elements);
        if (type.dtype() == DType.BOOL) {
            for (int index = 0; index < elements.length; index++) {
                elements[index] &= 1;
            }
        }
        add(new Literal(type, elements), type, List.of());
    }

    /** Records the first of some random instructions that is valid for its operands. */
    private void instruction() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (random.nextInt(8) == 0 && again()) {
                return;
            }
            Op op = anyOp();
            List<Object> operands = operands(op);
            try {
                add(op, op.infer(types(operands))[0], operands);
                dropSome(operands);
                return;
            } catch (OutpostException ignored) {
                // Another instruction is tried.
            }
        }
        literal();
    }

    /** Repeats an instruction on the same values, and returns whether it could. */
    private boolean again() {
        if (recorded.isEmpty()) {
            return false;
        }
        int back = random.nextInt(Math.min(recorded.size(), 12));
        Recorded before = recorded.get(recorded.size() - 1 - back);
        boolean canBe =
                before.operands.stream().allMatch(operand -> operand instanceof Scalar || live.containsKey(operand));
        if (canBe) {
            add(before.op, before.type, before.operands);
        }
        return canBe;
    }

    /** Updates a state by a gradient, which may be lost, with other instructions in between. */
    private void update() {
        long gradient = anyValue(id -> true);
        long state = anyValue(id -> id != gradient);
        TensorType type = live.get(state);
        long guarded = lastId + 1;
        segment.guard(guarded, 1, gradient, state);
        lastId += 3;
        live.put(guarded, live.get(gradient));
        if (random.nextInt(4) > 0) {
            drop(state);
        }
        long changed = guarded + 1;
        for (int step = random.nextInt(4); step >= 0; step--) {
            long next = ++lastId;
            segment.add(
                    random.nextBoolean() ? Binary.MAXIMUM : Binary.MINIMUM,
                    next,
                    step(changed, gradient, guarded, type));
            segment.drop(changed);
            changed = next;
        }
        if (random.nextBoolean()) {
            instruction();
        }
        long committed = ++lastId;
        segment.commit(committed, guarded + 2, changed);
        segment.drop(guarded + 2);
        segment.drop(changed);
        live.put(committed, type);
    }

    /** The operands of an update: a state and its gradient if they have the same type, otherwise a state and a number. */
    private List<Object> step(long state, long gradient, long guarded, TensorType type) {
        boolean isOfGradient = type.equals(live.get(gradient)) && live.containsKey(guarded);
        return List.of(state, isOfGradient ? guarded : number(type.dtype()));
    }

    /** Drops some operands; a value that is dropped at its last use may be overwritten. */
    private void dropSome(List<Object> operands) {
        for (Object operand : operands) {
            if (operand instanceof Long value && live.containsKey(value) && live.size() > 6 && random.nextInt(4) == 0) {
                drop(value);
            }
        }
    }

    /** Operands of the last one's dtype, except the condition of a choice and indices; sometimes a number. */
    private List<Object> operands(Op op) {
        Object[] operands = new Object[op.arity()];
        long last = anyValue(id -> true);
        DType dtype = live.get(last).dtype();
        for (int position = 0; position < operands.length; position++) {
            boolean isLast = position == operands.length - 1;
            operands[position] = isLast ? lastOperand(op, last, dtype) : operand(op, position, dtype);
        }
        return List.of(operands);
    }

    /** Sometimes a number too: our clients never compute from numbers alone, but another client may. */
    private Object lastOperand(Op op, long value, DType dtype) {
        return !(op instanceof AsStrided) && random.nextInt(24) == 0 ? number(dtype) : value;
    }

    private Scalar number(DType dtype) {
        return Scalar.of(dtype, random.nextInt(3));
    }

    private Object operand(Op op, int position, DType dtype) {
        if (op instanceof Binary && random.nextInt(4) == 0) {
            return number(dtype);
        }
        boolean isIndex = op instanceof IndexWrite && position == 1;
        DType wanted = op instanceof Ternary && position == 0 ? DType.BOOL : isIndex ? DType.INT64 : dtype;
        return anyValue(id -> live.get(id).dtype() == wanted
                && (!isIndex || live.get(id).shape().rank() == 1));
    }

    private TensorType[] types(List<Object> operands) {
        return operands.stream()
                .map(operand -> operand instanceof Scalar number
                        ? new TensorType(number.dtype(), Shape.SCALAR)
                        : live.get(operand))
                .toArray(TensorType[]::new);
    }

    private Op anyOp() {
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> Unary.values()[random.nextInt(Unary.values().length)];
            case 3, 4, 5, 6, 7 -> BINARIES.get(random.nextInt(BINARIES.size()));
            case 8 -> Ternary.WHERE;
            case 9 -> new Cast(DTYPES[random.nextInt(DTYPES.length)]);
            case 10 -> random.nextBoolean() ? new AsStrided(view()) : spread();
            case 11 -> new AsStrided(view());
            case 12 -> new StridedWrite(view());
            case 13 -> new IndexWrite(Scatter.Fn.SET, 0);
            default -> random.nextInt(4) == 0 ? new Reduce(Reduce.Fn.SUM, Axes.of(0), false) : rowStatistic();
        };
    }

    /** A reduction of the last dimension or the last two. */
    private Op rowStatistic() {
        Reduce.Fn fn = Reduce.Fn.values()[random.nextInt(Reduce.Fn.values().length)];
        Axes axes = switch (random.nextInt(6)) {
            case 0 -> Axes.of(2);
            case 1 -> Axes.of(1, 2);
            case 2 -> Axes.of(0);
            default -> Axes.of(1);
        };
        return new Reduce(fn, axes, random.nextBoolean());
    }

    /** A view of one number per row, as a column or repeated along the row: the layout of the gradient of a sum. */
    private Op spread() {
        return switch (random.nextInt(4)) {
            case 0 -> new AsStrided(Layout.of(Shape.of(18, 1), new long[] {1, 1}, 0));
            case 1 -> new AsStrided(Layout.of(Shape.of(18), new long[] {1}, 0));
            case 2 -> new AsStrided(Layout.of(Shape.of(9, 2, 20), new long[] {2, 1, 0}, 0));
            default -> new AsStrided(Layout.of(Shape.of(18, 20), new long[] {1, 0}, 0));
        };
    }

    /** A layout of a matrix: transposed, flat or as a slice; a few of its elements, or one repeated element. */
    private Layout view() {
        int offset = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
        return switch (random.nextInt(6)) {
            case 0 -> Layout.of(Shape.of(5, 3), new long[] {1, 5}, 0);
            case 1 -> Layout.of(Shape.of(3, 5), new long[] {1, 3}, 0);
            case 2 -> Layout.of(Shape.of(15), new long[] {1}, 0);
            case 3 -> Layout.of(Shape.of(3, 5), new long[] {5, 1}, offset);
            case 4 -> Layout.of(Shape.of(5), new long[] {1 + random.nextInt(2)}, offset);
            default -> Layout.of(Shape.of(3, 5), new long[] {0, 1}, offset);
        };
    }

    /** Draws a suitable value; recent ones more often, which makes chains. If none is suitable, any value. */
    private long anyValue(LongPredicate wanted) {
        List<Long> fit = live.keySet().stream().filter(wanted::test).toList();
        List<Long> ids = fit.isEmpty() ? List.copyOf(live.keySet()) : fit;
        int back = Math.min(random.nextInt(ids.size()), random.nextInt(ids.size()));
        return ids.get(ids.size() - 1 - back);
    }

    private void add(Op op, TensorType type, List<?> operands) {
        long id = ++lastId;
        segment.add(op, id, operands);
        live.put(id, type);
        if (!operands.isEmpty()) {
            recorded.add(new Recorded(op, operands, type));
        }
    }
}
