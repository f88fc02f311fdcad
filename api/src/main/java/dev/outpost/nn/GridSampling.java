package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.ops.Sizes;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.List;

/** Reads elements of images or volumes at the places of a grid; see {@link Functional} for the modes. */
final class GridSampling {
    private static final String OP = "grid_sample";

    private final Tensor input;
    private final Tensor grid;
    private final int dims;
    private final GridPadding padding;
    private final boolean alignsCorners;

    GridSampling(Tensor input, Tensor grid, GridPadding padding, boolean alignsCorners) {
        this.input = ArgumentChecks.required(input, "the input");
        this.grid = ArgumentChecks.required(grid, "the grid");
        this.padding = ArgumentChecks.required(padding, "the padding");
        this.alignsCorners = alignsCorners;
        dims = input.dim() - 2;
        if (dims != 2 && dims != 3 || grid.dim() != input.dim()) {
            throw new OpException(
                    OP,
                    "a batch of images or volumes and a grid of as many dimensions are needed, got " + input.shape()
                            + " and " + grid.shape());
        }
        if (grid.size(0) != input.size(0) || grid.size(-1) != dims || grid.dtype() != input.dtype()) {
            throw new OpException(
                    OP,
                    "the grid needs the batch, " + dims + " coordinates and the dtype of the input, got " + input.type()
                            + " and " + grid.type());
        }
        Sizes.requireElements(OP, dims, input.shape());
    }

    /** Returns the coordinates along a dimension of the input, in elements. In the grid, the last dimension comes first. */
    private Tensor position(int dim) {
        return position(grid, dim);
    }

    private Tensor position(Tensor positions, int dim) {
        Tensor coordinate = positions.select(-1, dims - 1 - dim);
        long size = input.size(dim + 2);
        return alignsCorners
                ? coordinate.add(1).div(2).mul(size - 1)
                : coordinate.add(1).mul(size).sub(1).div(2);
    }

    /** Moves positions outside of the input back into it, as the padding mode requires. */
    private Tensor inside(Tensor position, int dim) {
        long size = input.size(dim + 2);
        return switch (padding) {
            case ZEROS -> position;
            case BORDER -> position.clamp(0, size - 1);
            case REFLECTION ->
                (alignsCorners ? reflected(position, 0, 2 * (size - 1)) : reflected(position, -1, 2 * size - 1))
                        .clamp(0, size - 1);
        };
    }

    /** Mirrors positions between two borders. The borders are doubled, so that they are integers. */
    private static Tensor reflected(Tensor position, long twiceLow, long twiceHigh) {
        if (twiceLow == twiceHigh) {
            return position.mul(0);
        }
        double low = twiceLow / 2.0;
        double span = (twiceHigh - twiceLow) / 2.0;
        Tensor distance = position.sub(low).abs();
        Tensor extra = distance.fmod(span);
        Tensor isEven = distance.div(span).floor().fmod(2).eq(0);
        return extra.add(low).where(isEven, extra.neg().add(span + low));
    }

    Tensor nearest() {
        List<Tensor> indices = new ArrayList<>();
        for (int dim = 0; dim < dims; dim++) {
            indices.add(inside(position(grid.detach(), dim), dim).round());
        }
        // The grid's gradient is zeros, as in PyTorch, not null.
        Tensor coordinate = grid.select(-1, 0);
        Tensor one = coordinate.maskedFill(coordinate.onesLike(DType.BOOL), 1);
        return at(indices).mul(one.unsqueeze(1));
    }

    Tensor linear() {
        List<Tensor> positions = new ArrayList<>();
        List<Tensor> below = new ArrayList<>();
        for (int dim = 0; dim < dims; dim++) {
            positions.add(inside(position(dim), dim));
            below.add(positions.get(dim).detach().floor());
        }
        Tensor sum = null;
        for (int corner = 0; corner < 1 << dims; corner++) {
            List<Tensor> indices = new ArrayList<>();
            Tensor weight = null;
            for (int dim = 0; dim < dims; dim++) {
                boolean isAbove = (corner >> dim & 1) == 1;
                Tensor share = positions.get(dim).sub(below.get(dim));
                Tensor factor = isAbove ? share : share.rsub(1);
                indices.add(isAbove ? below.get(dim).add(1) : below.get(dim));
                weight = weight == null ? factor : weight.mul(factor);
            }
            Tensor weighed = at(indices).mul(weight.unsqueeze(1));
            sum = sum == null ? weighed : sum.add(weighed);
        }
        return sum;
    }

    /** Samples by cubic convolution over four elements along each of two dimensions. */
    Tensor cubic() {
        if (dims != 2) {
            throw new OpException(OP, "the cubic mode is for images, got " + input.shape());
        }
        Tensor row = position(0);
        Tensor column = position(1);
        Tensor above = row.detach().floor();
        Tensor left = column.detach().floor();
        List<Tensor> down = weights(row.sub(above));
        List<Tensor> across = weights(column.sub(left));
        Tensor sum = null;
        for (int tap = 0; tap < 16; tap++) {
            int rows = tap / 4;
            int columns = tap % 4;
            Tensor value = at(List.of(inside(above.add(rows - 1), 0), inside(left.add(columns - 1), 1)));
            Tensor weighed = value.mul(down.get(rows).mul(across.get(columns)).unsqueeze(1));
            sum = sum == null ? weighed : sum.add(weighed);
        }
        return sum;
    }

    private static List<Tensor> weights(Tensor share) {
        return List.of(outer(share.add(1)), inner(share), inner(share.rsub(1)), outer(share.rsub(2)));
    }

    private static Tensor inner(Tensor x) {
        return x.mul(Cubic.SHARP + 2).sub(Cubic.SHARP + 3).mul(x).mul(x).add(1);
    }

    private static Tensor outer(Tensor x) {
        return x.mul(Cubic.SHARP)
                .sub(5 * Cubic.SHARP)
                .mul(x)
                .add(8 * Cubic.SHARP)
                .mul(x)
                .sub(4 * Cubic.SHARP);
    }

    /** Returns the elements at integer positions; zeros outside of the input. */
    private Tensor at(List<Tensor> places) {
        Tensor isInside = null;
        Tensor flat = null;
        for (int dim = 0; dim < dims; dim++) {
            long size = input.size(dim + 2);
            Tensor place = places.get(dim).detach();
            Tensor fits = place.ge(0).logicalAnd(place.le(size - 1));
            isInside = isInside == null ? fits : isInside.logicalAnd(fits);
            Tensor index = place.maskedFill(fits.logicalNot(), 0).to(DType.INT64);
            flat = flat == null ? index : flat.mul(size).add(index);
        }
        long batch = input.size(0);
        long channels = input.size(1);
        Tensor indices = flat.reshape(batch, 1, flat.numel() / Math.max(1, batch));
        Tensor values = input.flatten(2, -1).gather(2, indices.expand(batch, channels, indices.size(2)));
        return values.view(shaped(flat, channels))
                .maskedFill(isInside.logicalNot().unsqueeze(1), 0);
    }

    private static long[] shaped(Tensor positions, long channels) {
        long[] sizes = new long[positions.dim() + 1];
        sizes[0] = positions.size(0);
        sizes[1] = channels;
        for (int dim = 1; dim < positions.dim(); dim++) {
            sizes[dim + 1] = positions.size(dim);
        }
        return sizes;
    }
}
