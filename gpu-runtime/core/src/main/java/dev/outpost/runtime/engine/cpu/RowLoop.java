package dev.outpost.runtime.engine.cpu;

import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;

/** Runs a {@link RowProgram} over all rows: each thread takes some of them, and goes through them a few at a time. */
final class RowLoop {
    /** Operations on elements that are worth a thread. */
    private static final int GRAIN = 64 << 10;

    private final RowProgram program;
    private final Elementwise elementwise;
    private final TilePool pool = new TilePool();
    /** Rows of a tile. */
    private final int height;

    private RowLoop(RowProgram program, Elementwise elementwise) {
        this.program = program;
        this.elementwise = elementwise;
        this.height = Math.clamp(TilePool.LENGTH / program.columns(), 1, program.rows());
    }

    static Kernel kernel(RowProgram program, Elementwise elementwise) {
        RowLoop loop = new RowLoop(program, elementwise);
        return (_, operands, results) -> loop.run(operands, results);
    }

    private void run(Array[] operands, Array[] results) {
        Object[] targets = Arrays.stream(results).map(Elementwise::javaArray).toArray();
        try (Scratch scratch = elementwise.scratch()) {
            RowAccess[] accesses = program.loads().stream()
                    .map(load -> access(load, operands[load.source()], scratch))
                    .toArray(RowAccess[]::new);
            int work = program.columns() * Math.max(1, program.stages().size());
            elementwise.workers().run(program.rows(), Math.max(height, GRAIN / work), (from, to) -> {
                RowRun run = new RowRun(program, accesses, targets, height, pool);
                run.run(from, to);
            });
        }
    }

    private RowAccess access(RowProgram.Load load, Array operand, Scratch scratch) {
        int columns = load.isWide() ? program.columns() : 1;
        return RowAccess.of(operand, load.shape(), program.rows(), columns, elementwise, scratch);
    }
}
