package dev.outpost.runtime.cuda.kernel;

import dev.outpost.runtime.cuda.code.CudaType;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.device.Multiplier.Factor;
import dev.outpost.runtime.cuda.launch.CudaLauncher;
import dev.outpost.runtime.cuda.launch.KernelArguments;
import dev.outpost.runtime.engine.ProductLayout;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import java.util.Optional;

/** Products of matrices, by the library if it supports them, and otherwise by a kernel with tiles. */
public record Products(CudaLauncher launcher, Maps maps, Multiplier multiplier) {
    private static final int TILE = 16;

    /** Computes {@code [batch, m, k] x [batch, k, n] -> [batch, m, n]}, or the same without a batch. */
    public void matmul(Array left, Array right, Array out) {
        if (out.shape().isEmpty()) {
            return;
        }
        boolean empty = ProductLayout.columns(left.layout()) == 0;
        if (!empty && multiplier.multiplies(out.dtype())) {
            byLibrary(left, right, out);
        } else {
            inTiles(left, right, out);
        }
    }

    private void byLibrary(Array left, Array right, Array out) {
        Optional<Factor> leftFactor = factor(left.layout());
        Optional<Factor> rightFactor = factor(right.layout());
        Array first = left;
        Array second = right;
        try {
            first = leftFactor.isPresent() ? left : maps.dense(left);
            second = rightFactor.isPresent() ? right : maps.dense(right);
            Multiplier.Product product = new Multiplier.Product(
                    out.dtype(),
                    ProductLayout.count(out.layout()),
                    ProductLayout.rows(out.layout()),
                    ProductLayout.columns(out.layout()),
                    ProductLayout.columns(left.layout()),
                    leftFactor.orElseGet(() -> dense(left.layout())),
                    rightFactor.orElseGet(() -> dense(right.layout())));
            multiplier.multiply(
                    product, CudaLauncher.address(first), CudaLauncher.address(second), CudaLauncher.address(out));
        } finally {
            releaseCopy(first, left);
            releaseCopy(second, right);
        }
    }

    private void releaseCopy(Array used, Array given) {
        if (used.buffer() != given.buffer()) {
            launcher.release(used);
        }
    }

    private static Factor dense(Layout layout) {
        long columns = ProductLayout.columns(layout);
        return new Factor(false, columns, ProductLayout.rows(layout) * columns);
    }

    /** Describes an operand's layout for the library. Empty if neither its rows nor its columns are contiguous. */
    static Optional<Factor> factor(Layout layout) {
        long rows = ProductLayout.rows(layout);
        long columns = ProductLayout.columns(layout);
        long distance = ProductLayout.count(layout) == 1 ? 0 : ProductLayout.stride(layout);
        long down = rows == 1 ? columns : ProductLayout.down(layout);
        long across = columns == 1 ? 1 : ProductLayout.across(layout);
        if (across == 1 && down >= columns) {
            return Optional.of(new Factor(false, down, distance));
        }
        down = rows == 1 ? 1 : ProductLayout.down(layout);
        across = columns == 1 ? rows : ProductLayout.across(layout);
        if (down == 1 && across >= rows) {
            return Optional.of(new Factor(true, across, distance));
        }
        return Optional.empty();
    }

    private void inTiles(Array left, Array right, Array out) {
        CudaType type = CudaType.of(out.dtype());
        CudaType sum = type.sum();
        Template template = Template.of(Part.MATMUL, true)
                .arithmetic(sum)
                .define("STORED", type.stored())
                .sums(type)
                .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(sum));
        Layout first = left.layout();
        Layout second = right.layout();
        long rows = ProductLayout.rows(out.layout());
        long columns = ProductLayout.columns(out.layout());
        long down = (rows + TILE - 1) / TILE;
        long across = (columns + TILE - 1) / TILE;
        KernelArguments arguments = new KernelArguments()
                .add(CudaLauncher.address(out), CudaLauncher.address(left), CudaLauncher.address(right))
                .add(rows, columns, ProductLayout.columns(first))
                .add(ProductLayout.stride(first), ProductLayout.down(first), ProductLayout.across(first))
                .add(ProductLayout.stride(second), ProductLayout.down(second), ProductLayout.across(second))
                .add(down, across);
        long blocks = ProductLayout.count(out.layout()) * down * across;
        launcher.runBlocks(template.source(), "matmul", blocks, TILE * TILE, arguments);
    }
}
