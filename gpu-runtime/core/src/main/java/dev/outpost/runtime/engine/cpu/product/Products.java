package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.ProductLayout;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.loop.Fills;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import java.util.List;
import java.util.Optional;

/** Batches of matrix products. Floats and doubles use a BLAS if one is available, everything else a loop over rows. */
public record Products(Elementwise elementwise, Optional<Blas> blas) {
    /** The number of multiplications that justifies a separate thread. */
    private static final int GRAIN = 256 << 10;

    public void run(Array left, Array right, Array result) {
        if (result.shape().isEmpty()) {
            return;
        }
        if (left.shape().isEmpty()) {
            Fills.fill(elementwise, Scalar.of(result.dtype(), 0L), result);
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = accumulator(result.dtype());
            Array target = dtype == result.dtype() ? result : scratch.array(dtype, result.shape());
            multiply(operand(left, dtype, scratch), operand(right, dtype, scratch), target);
            if (target != result) {
                elementwise.cast(target, result);
            }
        }
    }

    private static DType accumulator(DType dtype) {
        return switch (dtype) {
            case FLOAT16, BFLOAT16 -> DType.FLOAT32;
            case FLOAT32, FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL -> dtype;
        };
    }

    /**
     * Returns the operand itself if a BLAS can read its layout and dtype, otherwise a converted copy. A broadcast batch is converted
     * once.
     */
    private Array operand(Array batch, DType dtype, Scratch scratch) {
        if (batch.dtype() == dtype && Matrix.fits(batch.layout())) {
            return batch;
        }
        if (ProductLayout.stride(batch.layout()) != 0 || ProductLayout.count(batch.layout()) == 1) {
            return elementwise.contiguous(batch, dtype, scratch);
        }
        Array first = new Array(batch.buffer(), batch.layout().slice(0, 0, 1, 1));
        Array copy = elementwise.contiguous(first, dtype, scratch);
        return new Array(copy.buffer(), copy.layout().expand(batch.shape()));
    }

    private void multiply(Array left, Array right, Array result) {
        int m = (int) ProductLayout.rows(result.layout());
        int n = (int) ProductLayout.columns(result.layout());
        int k = (int) ProductLayout.columns(left.layout());
        if (blas.isPresent() && result.dtype().isFloating()) {
            blas(parts(m, n, k, (int) ProductLayout.count(result.layout())), left, right, result);
        } else {
            loop(new ProductPart(0, 0, m, n, k), left, right, result);
        }
    }

    /** Cuts the products of a batch. A large batch is divided between its products first, so each of them has fewer parts. */
    private List<ProductPart> parts(int m, int n, int k, int batch) {
        return ProductPart.cut(m, n, k, Math.ceilDiv(elementwise.workers().threads(), batch));
    }

    private void blas(List<ProductPart> parts, Array left, Array right, Array result) {
        Batch a = Batch.of(left);
        Batch b = Batch.of(right);
        Batch c = Batch.of(result);
        int count = (int) ProductLayout.count(result.layout()) * parts.size();
        int grain = (int) Math.max(1, GRAIN / parts.getFirst().multiplications());
        elementwise.workers().run(count, grain, (from, to) -> {
            for (int task = from; task < to; task++) {
                int number = task / parts.size();
                blas(
                        result.dtype(),
                        parts.get(task % parts.size()),
                        a.matrix(number),
                        b.matrix(number),
                        c.matrix(number));
            }
        });
    }

    /** @param apart the distance from one matrix to the next, in elements */
    private record Batch(Matrix first, long apart) {
        static Batch of(Array batch) {
            return new Batch(Matrix.firstOf(batch), ProductLayout.stride(batch.layout()));
        }

        Matrix matrix(int number) {
            return first.from(number * apart);
        }
    }

    private void blas(DType dtype, ProductPart part, Matrix left, Matrix right, Matrix result) {
        Matrix a = left.from(part.row(), 0);
        Matrix b = right.from(0, part.column());
        Matrix c = result.from(part.row(), part.column());
        if (dtype == DType.FLOAT32) {
            blas.orElseThrow().multiplyFloats(part.m(), part.n(), part.k(), 1, a, b, c);
        } else {
            blas.orElseThrow().multiplyDoubles(part.m(), part.n(), part.k(), 1, a, b, c);
        }
    }

    /** Adds {@code left[i][k] * right[k]} to row i of the result, for each i and k. */
    private void loop(ProductPart size, Array left, Array right, Array result) {
        Fills.fill(elementwise, Scalar.of(result.dtype(), 0L), result);
        Access across = Access.of((int) ProductLayout.across(right.layout()));
        ArrayLoop loop = elementwise.loop(
                Expression.multiplyAdd(result.dtype()), Access.ALIGNED, Access.SCALAR, across, Access.ALIGNED);
        int rows = (int) ProductLayout.count(result.layout()) * size.m();
        int grain = (int) Math.max(1, GRAIN / ((long) size.n() * size.k()));
        elementwise.workers().run(rows, grain, (from, to) -> {
            for (int row = from; row < to; row++) {
                row(size, loop, left, right, result, row);
            }
        });
    }

    private static void row(ProductPart size, ArrayLoop loop, Array left, Array right, Array result, int row) {
        Object to = Elementwise.javaArray(result);
        Object[] arrays = {to, Elementwise.javaArray(left), Elementwise.javaArray(right), to};
        int[] strides = {1, 0, (int) ProductLayout.across(right.layout()), 1};
        int place = (int) result.layout().offset() + row * size.n();
        int leftAt = at(left, row / size.m()) + row % size.m() * (int) ProductLayout.down(left.layout());
        int rightAt = at(right, row / size.m());
        for (int k = 0; k < size.k(); k++) {
            int scalar = leftAt + k * (int) ProductLayout.across(left.layout());
            int vector = rightAt + k * (int) ProductLayout.down(right.layout());
            loop.run(arrays, new int[] {place, scalar, vector, place}, strides, size.n());
        }
    }

    private static int at(Array batch, int number) {
        return (int) (batch.layout().offset() + number * ProductLayout.stride(batch.layout()));
    }
}
