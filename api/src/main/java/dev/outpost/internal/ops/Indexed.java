package dev.outpost.internal.ops;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.program.HostStates;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.InPlace;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An indexing expression applied to a tensor: first a view, then a selection from it by index tensors. */
public final class Indexed {
    /**
     * Indices into {@code width} dimensions from {@code dim} on, merged into one dimension.
     *
     * @param index int64, in bounds
     */
    private record Choice(int dim, int width, Tensor index) {
        boolean isScalar() {
            return index.dim() == 0;
        }
    }

    private final String op;
    private Tensor view;
    private final List<Choice> choices = new ArrayList<>();

    private Indexed(String op) {
        this.op = op;
    }

    public static Indexed of(String op, Tensor tensor, Index... indices) {
        Indexed indexed = new Indexed(op);
        indexed.read(tensor, Arrays.stream(indices).map(Indexed::bytesAsMask).toArray(Index[]::new));
        return indexed;
    }

    /** Converts a uint8 index to a mask, as PyTorch does. */
    private static Index bytesAsMask(Index index) {
        return index instanceof Index.Chosen(Tensor bytes) && bytes.dtype() == DType.UINT8
                ? new Index.Chosen(bytes.bool())
                : index;
    }

    /** Returns the indices for the first dimensions; null stands for a whole dimension. */
    public static Index[] chosen(Tensor... indices) {
        return Arrays.stream(indices)
                .map(index -> index == null ? Index.all() : Index.of(index.dim() == 0 ? index.view(1) : index))
                .toArray(Index[]::new);
    }

    private void read(Tensor tensor, Index... indices) {
        int unnamed = tensor.dim() - requireRoom(tensor, indices);
        Layout layout = States.layout(tensor);
        int dim = 0;
        for (Index index : indices) {
            layout = step(layout, dim, index);
            dim += switch (index) {
                case Index.At at -> 0;
                case Index.Slice slice -> 1;
                case Index.Chosen chosen -> choose(layout.shape(), dim, chosen);
                case Index.Mark mark -> mark == Index.Mark.NEW_AXIS ? 1 : unnamed;
            };
        }
        view = States.view(tensor, layout);
        placeScalars();
    }

    /** Returns the layout after one index. */
    private static Layout step(Layout layout, int dim, Index index) {
        return switch (index) {
            case Index.At at -> at(layout, dim, at.index());
            case Index.Slice slice -> slice(layout, dim, slice);
            case Index.Chosen chosen -> isFlag(chosen) ? layout.unsqueeze(dim) : layout;
            case Index.Mark mark -> mark == Index.Mark.NEW_AXIS ? layout.unsqueeze(dim) : layout;
        };
    }

    private static Layout at(Layout layout, int dim, long index) {
        try {
            return SliceLayouts.select(layout, dim, index);
        } catch (OpException failure) {
            throw ArgumentChecks.ofCalledOp(failure);
        }
    }

    /** Returns the number of dimensions that the indices consume. Throws if the tensor has fewer. */
    private int requireRoom(Tensor tensor, Index... indices) {
        int named = 0;
        int ellipses = 0;
        for (Index index : ArgumentChecks.requiredEach(indices, "the indices")) {
            named += switch (index) {
                case Index.At at -> 1;
                case Index.Slice slice -> 1;
                case Index.Chosen chosen -> isMask(chosen) ? chosen.indices().dim() : 1;
                case Index.Mark mark -> 0;
            };
            ellipses += index == Index.Mark.ELLIPSIS ? 1 : 0;
        }
        if (named > tensor.dim()) {
            throw new OpException(op, "too many indices, got " + named + " for " + tensor.shape());
        }
        if (ellipses > 1) {
            throw new OpException(op, "only one ellipsis is possible, got " + ellipses);
        }
        return named;
    }

    /** Converts a single integer of any integer dtype, which PyTorch allows as an index. */
    private static Tensor whole(Tensor index) {
        return index.dim() == 0 && !index.dtype().isFloating() ? index.to(DType.INT64) : index;
    }

    private static boolean isMask(Index.Chosen chosen) {
        return chosen.indices().dtype() == DType.BOOL;
    }

    /** True for a mask without dimensions. It selects all or nothing, in a new dimension. */
    private static boolean isFlag(Index.Chosen chosen) {
        return isMask(chosen) && chosen.indices().dim() == 0;
    }

    private static Layout slice(Layout layout, int dim, Index.Slice slice) {
        long start = slice.start() == null ? 0 : slice.start();
        long end = slice.end() == null ? Long.MAX_VALUE : slice.end();
        return SliceLayouts.slice(layout, dim, start, end, slice.step());
    }

    /** Returns the number of dimensions that were indexed. */
    private int choose(Shape shape, int dim, Index.Chosen chosen) {
        boolean mask = isMask(chosen);
        Tensor indices = isFlag(chosen) ? chosen.indices().view(1) : chosen.indices();
        int width = mask ? indices.dim() : 1;
        if (mask) {
            requireFit(shape, dim, indices);
        }
        Tensor index = mask ? Indexing.positions(indices) : Indexing.checked(op, whole(indices), shape.size(dim));
        choices.add(new Choice(dim, width, index));
        return width;
    }

    private void requireFit(Shape shape, int dim, Tensor mask) {
        for (int offset = 0; offset < mask.dim(); offset++) {
            if (mask.shape().size(offset) != shape.size(dim + offset)) {
                throw new OpException(
                        op, "a mask of " + mask.shape() + " does not fit " + shape + " from dimension " + dim + " on");
            }
        }
    }

    /**
     * PyTorch treats an index tensor without dimensions as an integer, so it does not affect the placement of the other indices: its
     * dimension is moved in front of theirs.
     */
    private void placeScalars() {
        List<Choice> scalars = choices.stream().filter(Choice::isScalar).toList();
        List<Choice> others =
                choices.stream().filter(choice -> !choice.isScalar()).toList();
        if (scalars.isEmpty() || others.isEmpty()) {
            return;
        }
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, view.dim()).boxed().toList());
        scalars.forEach(choice -> order.remove(Integer.valueOf(choice.dim())));
        order.addAll(
                order.indexOf(others.get(0).dim()),
                scalars.stream().map(Choice::dim).toList());
        view = view.permute(order.stream().mapToInt(Integer::intValue).toArray());
        choices.clear();
        Stream.concat(scalars.stream(), others.stream())
                .map(choice -> new Choice(order.indexOf(choice.dim()), choice.width(), choice.index()))
                .forEach(choices::add);
    }

    /**
     * Returns the chosen elements: a view if all index tensors are single integers, whose values are read, else a
     * copy.
     */
    public Tensor read() {
        if (choices.isEmpty()) {
            return view;
        }
        if (!choices.stream().allMatch(Choice::isScalar)) {
            return picked();
        }
        return HostStates.ofThread().either(this::selected, this::pickedInProgram);
    }

    private Tensor picked() {
        Flat flat = flat();
        Tensor picked = Dispatch.apply(new IndexSelect(flat.dim), flat.base, flat.index);
        return picked.view(flat.result);
    }

    /** Returns a copy, because the indices are not known before the program runs, so a view is impossible. */
    private Tensor pickedInProgram() {
        Tensor picked = picked();
        States.variable(picked)
                .refuseWrites(
                        "in a program, what a tensor of one index chooses is a copy; write it by set(value, index)");
        return picked;
    }

    /** Selects the last dimension first, so that the positions of earlier dimensions do not change. */
    private Tensor selected() {
        long[] indices = chosenIndices();
        Layout layout = States.layout(view);
        for (int last = indices.length - 1; last >= 0; last--) {
            layout = layout.select(choices.get(last).dim(), indices[last]);
        }
        return States.view(view, layout);
    }

    private long[] chosenIndices() {
        List<Tensor> indices = choices.stream().map(Choice::index).toList();
        return (indices.size() == 1 ? indices.getFirst() : Tensors.stack(indices)).toLongArray();
    }

    /** Returns the tensor with a value, which broadcasts, at the chosen elements. */
    public Tensor written(Scatter.Fn fn, Tensor value) {
        Flat flat = flat();
        Tensor source = broadcast(value, flat.result).reshape(flat.written());
        Tensor changed = Dispatch.apply(new IndexWrite(fn, flat.dim), flat.base, flat.index, source);
        return changed.view(flat.permuted).permute(inverse(flat.order));
    }

    public void assign(Tensor value) {
        if (choices.isEmpty()) {
            InPlace.overwrite(view, broadcast(value, view.shape()));
        } else {
            write(Scatter.Fn.SET, value);
        }
    }

    /** Writes a value, which broadcasts, to the chosen elements. Holds the storage's write lock during the write. */
    public void write(Scatter.Fn fn, Tensor value) {
        Indexing.written(view, () -> written(fn, value));
    }

    /** Broadcasts a value. Drops leading dimensions of size 1, as an assignment does. */
    private Tensor broadcast(Tensor value, Shape target) {
        Tensor fitting = value.to(view.dtype());
        while (fitting.dim() > target.rank() && fitting.size(0) == 1) {
            fitting = fitting.select(0, 0);
        }
        if (!fitting.shape().broadcastsTo(target)) {
            throw new OpException(op, "the value does not broadcast, got " + value.shape() + " for " + target);
        }
        return fitting.expand(target);
    }

    /**
     * The view with the indexed dimensions merged into one.
     *
     * @param order the order of the view's dimensions before the merge
     * @param permuted the shape in that order
     * @param base the tensor
     * @param dim the merged dimension
     * @param index the index as a vector
     * @param result the shape of the chosen elements
     */
    private record Flat(int[] order, Shape permuted, Tensor base, int dim, Tensor index, Shape result) {
        /** Returns the shape of the result with the index's dimensions merged into one. */
        Shape written() {
            return Shapes.replaced(base.shape(), dim, dim + 1, index.numel());
        }
    }

    private Flat flat() {
        int width = choices.stream().mapToInt(Choice::width).sum();
        int first = choices.getFirst().dim();
        Choice last = choices.getLast();
        boolean together = last.dim() + last.width() - first == width;
        int[] order = together ? IntStream.range(0, view.dim()).toArray() : choicesInFront();
        int dim = together ? first : 0;
        Tensor permuted = view.permute(order);
        Tensor index = combined();
        Shape shape = permuted.shape();
        Tensor base = permuted.reshape(Shapes.replaced(shape, dim, dim + width, product(shape, dim, width)));
        Shape result = Shapes.replaced(shape, dim, dim + width, index.shape().toArray());
        return new Flat(order, shape, base, dim, index.flatten(), result);
    }

    private int[] choicesInFront() {
        int[] chosen = choices.stream()
                .flatMapToInt(choice -> IntStream.range(choice.dim(), choice.dim() + choice.width()))
                .toArray();
        IntStream rest = IntStream.range(0, view.dim())
                .filter(dim -> Arrays.stream(chosen).noneMatch(taken -> taken == dim));
        return IntStream.concat(Arrays.stream(chosen), rest).toArray();
    }

    /** Combines all choices to one row-major index into the merged dimensions. Their shapes broadcast. */
    private Tensor combined() {
        Tensor combined = null;
        for (Choice choice : choices) {
            long size = product(view.shape(), choice.dim(), choice.width());
            combined = combined == null ? choice.index() : joined(combined.mul(size), choice.index());
        }
        return combined;
    }

    private Tensor joined(Tensor outer, Tensor inner) {
        Shape.broadcast(op, outer.shape(), inner.shape());
        return outer.add(inner);
    }

    private static long product(Shape shape, int dim, int width) {
        long product = 1;
        for (int offset = 0; offset < width; offset++) {
            product *= shape.size(dim + offset);
        }
        return product;
    }

    private static int[] inverse(int[] order) {
        int[] inverse = new int[order.length];
        for (int dim = 0; dim < order.length; dim++) {
            inverse[order[dim]] = dim;
        }
        return inverse;
    }
}
