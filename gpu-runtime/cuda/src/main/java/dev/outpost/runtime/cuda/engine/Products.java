package dev.outpost.runtime.cuda.engine;

import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.code.Part;
import dev.outpost.runtime.cuda.code.Template;
import dev.outpost.runtime.cuda.code.Word;
import dev.outpost.runtime.cuda.device.Multiplier;
import dev.outpost.runtime.cuda.device.Multiplier.Factor;
import dev.outpost.runtime.memory.Array;
import java.util.Optional;

/** Products of matrices: by the library where it has one, else by a kernel in tiles. */
final class Products {
    private static final int TILE = 16;

    private final Launcher launcher;
    private final Maps maps;
    private final Multiplier multiplier;

    Products(Launcher launcher, Maps maps, Multiplier multiplier) {
        this.launcher = launcher;
        this.maps = maps;
        this.multiplier = multiplier;
    }

    /** {@code [batch, m, k] x [batch, k, n] -> [batch, m, n]}. */
    void matmul(Array left, Array right, Array out) {
        if (out.shape().isEmpty()) {
            return;
        }
        boolean empty = left.shape().size(2) == 0;
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
                    out.shape().size(0),
                    out.shape().size(1),
                    out.shape().size(2),
                    left.shape().size(2),
                    leftFactor.orElseGet(() -> dense(left.shape())),
                    rightFactor.orElseGet(() -> dense(right.shape())));
            multiplier.multiply(product, Launcher.address(first), Launcher.address(second), Launcher.address(out));
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

    private static Factor dense(Shape shape) {
        return new Factor(false, shape.size(2), shape.size(1) * shape.size(2));
    }

    /** How the library is told of an operand; nothing where neither its rows nor its columns are without gaps. */
    static Optional<Factor> factor(Layout layout) {
        long rows = layout.shape().size(1);
        long columns = layout.shape().size(2);
        long distance = layout.shape().size(0) == 1 ? 0 : layout.stride(0);
        long down = rows == 1 ? columns : layout.stride(1);
        long across = columns == 1 ? 1 : layout.stride(2);
        if (across == 1 && down >= columns) {
            return Optional.of(new Factor(false, down, distance));
        }
        down = rows == 1 ? 1 : layout.stride(1);
        across = columns == 1 ? rows : layout.stride(2);
        if (down == 1 && across >= rows) {
            return Optional.of(new Factor(true, across, distance));
        }
        return Optional.empty();
    }

    private void inTiles(Array left, Array right, Array out) {
        Word word = Word.of(out.dtype());
        Word sum = word.sum();
        Template template = Template.of(Part.MATMUL, true)
                .arithmetic(sum)
                .define("STORED", word.stored())
                .sums(word)
                .define("MULTIPLY_ADD(x, y, z)", Windows.multiplyAdd(sum));
        Layout first = left.layout();
        Layout second = right.layout();
        long rows = out.shape().size(1);
        long columns = out.shape().size(2);
        long down = (rows + TILE - 1) / TILE;
        long across = (columns + TILE - 1) / TILE;
        Arguments arguments = new Arguments()
                .add(Launcher.address(out), Launcher.address(left), Launcher.address(right))
                .add(rows, columns, left.shape().size(2))
                .add(first.stride(0), first.stride(1), first.stride(2))
                .add(second.stride(0), second.stride(1), second.stride(2))
                .add(down, across);
        launcher.runBlocks(template.source(), "matmul", out.shape().size(0) * down * across, TILE * TILE, arguments);
    }
}
