package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.protocol.op.Op;
import dev.outpost.runtime.engine.GeneratedKernel;
import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.reduce.ColumnBlocks;
import dev.outpost.runtime.engine.cpu.reduce.ColumnReduction;
import dev.outpost.runtime.engine.cpu.threads.KernelThreads;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs a {@link RowProgram} over all rows. Each thread takes some of the rows and processes them a few at a time. */
public final class RowLoop implements GeneratedKernel {
    /** The number of operations on elements that justifies a separate thread. */
    private static final int GRAIN = 64 << 10;

    /** The number of elements that fit well into the nearest cache: 24 KiB. */
    private static final int ROOM = 6 << 10;

    private final RowProgram program;
    private final List<ChainCutter.Piece<RowProgram.Stage, RowProgram.Place>> pieces;
    private final Elementwise elementwise;
    /** The number of rows in a tile. */
    private final int height;

    public RowLoop(RowProgram program, Elementwise elementwise) {
        this.program = program;
        this.pieces = ChainCutter.cut(program.stages(), new RowStages(program), elementwise.chains());
        this.elementwise = elementwise;
        this.height = height(program);
    }

    /**
     * Returns the number of elements in a tile. The tile is large if the program computes narrow values, so that
     * their cost is small compared to the rest. Otherwise, as in a softmax, the tile fits into the nearest cache.
     */
    private static int tile(RowProgram program) {
        boolean computesNumbers = program.stages().stream()
                .anyMatch(stage -> stage instanceof RowProgram.Stage.Apply apply && !apply.isWide()
                        || stage instanceof RowProgram.Stage.Choose choose && !choose.isWide());
        return computesNumbers ? TilePool.ROW_LENGTH : TilePool.LENGTH;
    }

    /**
     * Returns the number of rows that fill a tile, at least two if two fit, because two rows are folded at once. It
     * is a multiple of the tile rows of a {@link ColumnReduction}.
     */
    private static int height(RowProgram program) {
        int folded = ColumnReduction.tileRows(program.rows(), program.columns());
        int min = 2 * folded * program.columns() * widePlaces(program) <= ROOM ? 2 : 1;
        int fit = Math.max(min, tile(program) / (folded * program.columns()));
        return Math.min(fit, Math.ceilDiv(program.rows(), folded)) * folded;
    }

    /** Returns the number of places that hold a number for each element of a tile. */
    private static int widePlaces(RowProgram program) {
        Set<Integer> folded = Stream.concat(
                        program.footers().stream().map(RowProgram.Footer::result),
                        program.totals().stream().map(RowProgram.Total::result))
                .collect(Collectors.toSet());
        long loads = program.loads().stream().filter(RowProgram.Load::isWide).count();
        long stores = IntStream.range(0, program.stores().size())
                .filter(store -> program.stores().get(store).isWide() && !folded.contains(store))
                .count();
        return (int) (loads + stores) + program.wideTiles();
    }

    @Override
    public String listing() {
        return RowListing.of(program, pieces, height);
    }

    @Override
    public void run(Op op, Array[] operands, Array[] results) {
        Object[] targets = Arrays.stream(results).map(Elementwise::javaArray).toArray();
        try (Scratch scratch = elementwise.scratch()) {
            RowAccess[] accesses = program.loads().stream()
                    .map(load -> access(load, operands[load.source()], scratch))
                    .toArray(RowAccess[]::new);
            ColumnBlocks[] footers = program.footers().stream()
                    .map(footer -> ColumnBlocks.of(footer.fold(), program.rows(), program.columns(), scratch))
                    .toArray(ColumnBlocks[]::new);
            float[][] totals = program.totals().stream()
                    .map(total ->
                            (float[]) Elementwise.javaArray(scratch.array(DType.FLOAT32, Shape.of(program.rows()))))
                    .toArray(float[][]::new);
            run(new RowPlaces.Data(accesses, targets, footers, totals));
            for (int footer = 0; footer < footers.length; footer++) {
                footers[footer].finish(
                        (float[]) targets[program.footers().get(footer).result()], 0);
            }
            for (int place = 0; place < totals.length; place++) {
                RowProgram.Total total = program.totals().get(place);
                ((float[]) targets[total.result()])[0] =
                        total.fold().fold(totals[place], 0, program.rows(), new float[RowReduction.LANES]);
            }
        }
    }

    /** Divides the rows among the threads in whole blocks. */
    private void run(RowPlaces.Data data) {
        int rows = program.rows();
        int block = data.footers().length == 0 ? height : ColumnReduction.blockRows(rows, program.columns());
        int work = block * program.columns() * Math.max(1, program.stages().size());
        elementwise
                .workers()
                .share(Math.ceilDiv(rows, block), Math.max(1, GRAIN / work), () -> new Blocks(block, data));
    }

    /** A thread's share, processed block by block. */
    private final class Blocks implements KernelThreads.Share {
        private final int block;
        private final RowRun run;

        Blocks(int block, RowPlaces.Data data) {
            this.block = block;
            this.run = new RowRun(program, pieces, data, height, elementwise.rowTiles());
        }

        @Override
        public void run(int from, int to) {
            run.run(from * block, Math.min(to * block, program.rows()));
        }

        @Override
        public void close() {
            run.close();
        }
    }

    private RowAccess access(RowProgram.Load load, Array operand, Scratch scratch) {
        int columns = load.isWide() ? program.columns() : 1;
        return RowAccess.of(operand, load.shape(), program.rows(), columns, elementwise, scratch);
    }
}
