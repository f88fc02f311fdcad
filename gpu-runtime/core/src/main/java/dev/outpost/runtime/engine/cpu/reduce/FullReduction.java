package dev.outpost.runtime.engine.cpu.reduce;

import dev.outpost.runtime.engine.ReductionShape;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.row.RowLoop;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Folds all floats of an array into one number, with the same bits as a {@link RowLoop}. */
public record FullReduction(Elementwise elementwise) {
    private static final int GRAIN = 16 << 10;

    public void run(RowReduction fold, ReductionShape rows, Array operand, Array result) {
        try (Scratch scratch = elementwise.scratch()) {
            Array dense = elementwise.contiguous(operand, scratch);
            float[] numbers = (float[]) Elementwise.javaArray(scratch.array(DType.FLOAT32, Shape.of(rows.rows())));
            foldRows(fold, rows, dense, numbers);
            float[] target = (float[]) Elementwise.javaArray(result);
            target[(int) result.layout().offset()] = fold.fold(numbers, 0, rows.rows(), new float[RowReduction.LANES]);
        }
    }

    private void foldRows(RowReduction fold, ReductionShape rows, Array dense, float[] numbers) {
        float[] from = (float[]) Elementwise.javaArray(dense);
        int offset = (int) dense.layout().offset();
        int columns = rows.columns();
        elementwise
                .workers()
                .run(
                        rows.rows(),
                        Math.max(1, GRAIN / columns),
                        (begin, end) -> fold.foldRows(
                                from,
                                offset + begin * columns,
                                columns,
                                end - begin,
                                numbers,
                                begin,
                                RowReduction.room()));
    }
}
