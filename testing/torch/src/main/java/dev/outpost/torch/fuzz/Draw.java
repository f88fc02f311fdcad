package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Draws one statement: chooses operands among the variables, and makes missing ones. */
final class Draw {
    static final List<DType> DTYPES = List.of(DType.values());
    static final List<DType> FLOATING =
            DTYPES.stream().filter(DType::isFloating).toList();
    static final List<DType> INDICES = List.of(DType.INT64, DType.INT64, DType.INT32);

    /** The most elements of a tensor: larger tensors make PyTorch's answers, and the report for the reader, longer. */
    private static final long MAX_ELEMENTS = 3000;

    private final Random random;
    private final Literals literals;
    private final List<Known> known;
    private final Supplier<String> names;
    private final long[] sizes;
    private final List<Literal> made = new ArrayList<>();

    /** @param sizes the sizes of this program's dimensions, few enough that shapes often fit each other */
    Draw(Random random, Literals literals, List<Known> known, Supplier<String> names, long[] sizes) {
        this.random = random;
        this.literals = literals;
        this.known = known.stream()
                .filter(variable -> variable.shape().elements() <= MAX_ELEMENTS)
                .toList();
        this.names = names;
        this.sizes = sizes;
    }

    /** Returns the literals that were made for the statement. */
    List<Literal> made() {
        return made;
    }

    // ---- chances

    Random random() {
        return random;
    }

    boolean once(int in) {
        return random.nextInt(in) == 0;
    }

    boolean coin() {
        return random.nextBoolean();
    }

    @SafeVarargs
    final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Draws a number between both bounds, which are included. */
    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    Number number() {
        return literals.number();
    }

    double real(double low, double high) {
        return Math.round(16 * (low + (high - low) * random.nextDouble())) / 16.0;
    }

    // ---- tensors

    /** Draws any variable; recent ones are more likely, which makes chains. */
    Known any() {
        return any(variable -> true, this::fresh);
    }

    Known floating() {
        return any(Known::isFloating, () -> make(oneOf(FLOATING), shape(0, 3)));
    }

    /** Draws a variable through which no gradient flows. */
    Known plain() {
        return plain(0, 3);
    }

    /** Draws a variable with elements, because some ops of PyTorch return uninitialized memory for empty tensors. */
    Known plainAndNotEmpty() {
        return any(
                variable -> !variable.requiresGrad() && variable.shape().elements() > 0,
                () -> make(oneOf(DTYPES), Shape.of(2, 3), false));
    }

    Known plain(int minRank, int maxRank) {
        return any(
                variable -> !variable.requiresGrad() && variable.rank() >= minRank && variable.rank() <= maxRank,
                () -> make(oneOf(DTYPES), shape(minRank, maxRank), false));
    }

    /** Draws a variable of a floating dtype through which no gradient flows. */
    Known plainFloating() {
        return any(
                variable -> variable.isFloating() && !variable.requiresGrad(),
                () -> make(oneOf(FLOATING), shape(0, 3), false));
    }

    Known integral() {
        return any(variable -> !variable.isFloating(), () -> make(oneOf(DType.INT64, DType.UINT8), shape(0, 3)));
    }

    /** Draws a variable with this number of dimensions. */
    Known ofRank(int min, int max) {
        return any(
                variable -> variable.rank() >= min && variable.rank() <= max,
                () -> make(oneOf(DTYPES), shape(min, max)));
    }

    Known ofRankAndNotEmpty(int min, int max) {
        return any(
                variable -> variable.rank() >= min
                        && variable.rank() <= max
                        && variable.shape().elements() > 0,
                () -> make(oneOf(DTYPES), Shape.of(2, 3)));
    }

    Known floatingOfRank(int min, int max) {
        return any(
                variable -> variable.isFloating() && variable.rank() >= min && variable.rank() <= max,
                () -> make(oneOf(FLOATING), shape(min, max)));
    }

    Known any(Predicate<Known> wanted, Supplier<Known> otherwise) {
        List<Known> fitting = known.stream().filter(wanted).toList();
        if (fitting.isEmpty() || once(12)) {
            return otherwise.get();
        }
        int back = Math.min(random.nextInt(fitting.size()), random.nextInt(fitting.size()));
        return fitting.get(fitting.size() - 1 - back);
    }

    /** Draws a tensor that mostly broadcasts with another one. */
    Known partner(Known other) {
        return any(
                variable -> broadcasts(variable.shape(), other.shape()),
                () -> make(once(3) ? oneOf(DTYPES) : other.dtype(), partOf(other.shape())));
    }

    /** Draws a tensor that broadcasts to another one's shape. */
    Known narrower(Known other) {
        return any(
                variable -> variable.shape().broadcastsTo(other.shape()),
                () -> make(once(3) ? oneOf(DTYPES) : other.dtype(), partOf(other.shape())));
    }

    /** Draws a tensor to write into. A write would reveal that PyTorch's reshape of other strides is a copy. */
    Known target() {
        return target(0, 4);
    }

    Known target(int minRank, int maxRank) {
        return any(
                variable -> !variable.mayBeCopy() && variable.rank() >= minRank && variable.rank() <= maxRank,
                () -> make(oneOf(DTYPES), shape(minRank, Math.min(3, maxRank))));
    }

    Known plainTarget() {
        return any(
                variable -> !variable.mayBeCopy() && !variable.requiresGrad(),
                () -> make(oneOf(DTYPES), shape(0, 3), false));
    }

    Known floatingTarget() {
        return any(
                variable -> !variable.mayBeCopy() && variable.isFloating(), () -> make(oneOf(FLOATING), shape(0, 3)));
    }

    /**
     * Does the same as {@link #narrower} for an op that writes into the other tensor: only the other tensor itself may share elements with
     * it.
     */
    Known source(Known target) {
        return any(
                variable -> variable.shape().broadcastsTo(target.shape())
                        && (!variable.base().equals(target.base())
                                || variable.name().equals(target.name())),
                () -> make(once(3) ? oneOf(DTYPES) : target.dtype(), partOf(target.shape())));
    }

    /** Draws a finite number that a tensor's dtype represents. */
    Number factor(Known of) {
        return of.isFloating() && coin() ? (Number) real(-2, 2) : (Number) (long) between(0, 3);
    }

    Known like(Known other) {
        return of(other.dtype(), other.shape());
    }

    Known of(DType dtype, Shape shape) {
        return any(variable -> variable.dtype() == dtype && variable.shape().equals(shape), () -> make(dtype, shape));
    }

    Known mask(Shape shape) {
        return of(DType.BOOL, shape);
    }

    private static boolean broadcasts(Shape one, Shape other) {
        for (int back = 1; back <= Math.min(one.rank(), other.rank()); back++) {
            long size = one.size(one.rank() - back);
            long otherSize = other.size(other.rank() - back);
            if (size != otherSize && size != 1 && otherSize != 1) {
                return false;
            }
        }
        return true;
    }

    /** Draws a shape that broadcasts to this one. */
    Shape partOf(Shape shape) {
        int drop = random.nextInt(shape.rank() + 1);
        long[] part = Arrays.copyOfRange(shape.toArray(), once(2) ? 0 : drop, shape.rank());
        for (int dim = 0; dim < part.length; dim++) {
            part[dim] = once(4) ? 1 : part[dim];
        }
        return Shape.of(part);
    }

    private Known fresh() {
        return make(oneOf(DTYPES), shape(0, 3));
    }

    /** Makes a new tensor; a floating one requires gradients in one of three cases. */
    Known make(DType dtype, Shape shape) {
        return make(dtype, shape, dtype.isFloating() && once(3));
    }

    Known make(DType dtype, Shape shape, boolean requiresGrad) {
        return literal(literals.of(dtype, shape), requiresGrad);
    }

    Known indices(Shape shape, long size) {
        return literal(literals.indices(oneOf(INDICES), shape, coin() ? 0 : -size, size), false);
    }

    Known longIndices(Shape shape, long size) {
        return literal(literals.indices(DType.INT64, shape, coin() ? 0 : -size, size), false);
    }

    /** Draws indices for ops that accept only int64 indices counted from the front. */
    Known plainIndices(Shape shape, long size) {
        return literal(literals.indices(DType.INT64, shape, 0, size), false);
    }

    Known makeBetween(DType dtype, Shape shape, double low, double high) {
        return makeBetween(dtype, shape, low, high, false);
    }

    Known makeBetween(DType dtype, Shape shape, double low, double high, boolean requiresGrad) {
        return literal(literals.between(dtype, shape, low, high), requiresGrad);
    }

    Known literal(HostTensor value, boolean requiresGrad) {
        Literal literal = new Literal(names.get(), value, requiresGrad);
        made.add(literal);
        return new Known(literal.name(), value.dtype(), value.shape(), requiresGrad, true, literal.name(), false);
    }

    // ---- shapes and dimensions

    Shape shape(int minRank, int maxRank) {
        long[] shape = new long[between(minRank, maxRank)];
        Arrays.setAll(shape, dim -> size());
        return Shape.of(shape);
    }

    long size() {
        return once(40) ? 0 : sizes[random.nextInt(sizes.length)];
    }

    DType dtype() {
        return oneOf(DTYPES);
    }

    /** Draws a dimension, from the back or the front; rarely one that does not exist. */
    int dim(Known of) {
        return dim(of.rank());
    }

    int dim(int rank) {
        int max = Math.max(1, rank);
        return once(60) ? max : random.nextInt(2 * max) - max;
    }

    /** Draws some different dimensions. */
    int[] dims(Known of) {
        List<Integer> all = new ArrayList<>();
        for (int dim = 0; dim < of.rank(); dim++) {
            all.add(once(3) ? dim - of.rank() : dim);
        }
        Collections.shuffle(all, random);
        int count = all.isEmpty() ? 0 : between(1, all.size());
        return all.stream().limit(count).mapToInt(Integer::intValue).toArray();
    }

    /** Draws an order of all dimensions. */
    int[] order(Known of) {
        List<Integer> all = new ArrayList<>();
        for (int dim = 0; dim < of.rank(); dim++) {
            all.add(once(4) ? dim - of.rank() : dim);
        }
        Collections.shuffle(all, random);
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Draws an index into a dimension, which is mostly valid. */
    long place(long size) {
        return size == 0 || once(60) ? size : random.nextLong(-size, size);
    }
}
