package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.runtime.engine.cpu.chain.ChainCutter;
import dev.outpost.runtime.engine.cpu.chain.ChainLoop;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.tile.BoolTiles;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import dev.outpost.runtime.engine.cpu.tile.TileSelect;
import java.util.Arrays;
import java.util.List;

/** Runs a {@link TileProgram} over arrays, tile by tile. */
final class TileLoop implements ArrayLoop {
    private final TileProgram program;
    private final List<ChainCutter.Piece<TileProgram.Stage, TileProgram.Place>> pieces;
    private final Access[] accesses;
    private final int operands;
    private final TilePool pool;

    /** @param accesses the accesses of the operands, then of the results, which are not strided */
    TileLoop(TileProgram program, List<Access> accesses, int results, TilePool pool, Chains chains) {
        this.program = program;
        this.pieces = program.pieces(accesses, chains);
        this.accesses = accesses.toArray(Access[]::new);
        this.operands = accesses.size() - results;
        this.pool = pool;
    }

    @Override
    public void run(Object[] arrays, int[] offsets, int[] strides, int count) {
        new Run(arrays, offsets, strides).run(count);
    }

    /** The state of one run: its arrays, its position and its tiles. */
    private final class Run {
        private final Object[] arrays;
        private final int[] offsets;
        private final int[] strides;
        private final float[][] gathered = new float[operands][];
        private final float[][] temporaries = new float[program.temporaries()][];
        private int done;

        Run(Object[] arrays, int[] offsets, int[] strides) {
            this.arrays = arrays;
            this.offsets = offsets;
            this.strides = strides;
        }

        void run(int count) {
            Arrays.setAll(temporaries, index -> pool.take());
            for (int operand = 0; operand < operands; operand++) {
                if (!liesAsItIs(operand)) {
                    gathered[operand] = pool.take();
                }
            }
            spread(Math.min(count, TilePool.LENGTH));
            Part[] parts = new Part[pieces.size()];
            for (int part = 0; part < parts.length; part++) {
                parts[part] = new Part(pieces.get(part));
            }
            for (done = 0; done < count; done += TilePool.LENGTH) {
                tile(parts, Math.min(TilePool.LENGTH, count - done));
            }
            pool.give(temporaries);
            pool.give(gathered);
        }

        private boolean liesAsItIs(int operand) {
            boolean isDense = accesses[operand] == Access.ALIGNED || accesses[operand] == Access.UNIT;
            return isDense && arrays[operand] instanceof float[];
        }

        /** Fills the tile of each scalar operand once. */
        private void spread(int length) {
            for (int operand = 0; operand < operands; operand++) {
                if (accesses[operand] == Access.SCALAR) {
                    gather(operand, offsets[operand], 1);
                    Arrays.fill(gathered[operand], 0, length, gathered[operand][0]);
                }
            }
        }

        private void tile(Part[] parts, int count) {
            for (int operand = 0; operand < operands; operand++) {
                if (gathered[operand] != null && accesses[operand] != Access.SCALAR) {
                    gather(operand, offsets[operand] + done * strides[operand], count);
                }
            }
            for (Part part : parts) {
                part.compute(count);
            }
        }

        /** A piece and the arguments of its loop. Only the offsets change from tile to tile. */
        private final class Part {
            private final ChainCutter.Piece<TileProgram.Stage, TileProgram.Place> piece;
            private final float[][] lines;
            private final int[] indices;
            private final float[] numbers;

            Part(ChainCutter.Piece<TileProgram.Stage, TileProgram.Place> piece) {
                this.piece = piece;
                indices = new int[piece.arrays().size()];
                lines = new float[indices.length][];
                for (int place = 0; place < indices.length; place++) {
                    lines[place] = array(piece.arrays().get(place));
                }
                numbers = new float[piece.numbers().size()];
                for (int number = 0; number < numbers.length; number++) {
                    numbers[number] = gathered[piece.numbers().get(number).index()][0];
                }
            }

            void compute(int count) {
                ChainLoop together = piece.loop();
                if (together != null) {
                    for (int place = 0; place < indices.length; place++) {
                        indices[place] = at(piece.arrays().get(place));
                    }
                    together.run(lines, indices, numbers, count);
                    return;
                }
                for (TileProgram.Stage stage : piece.stages()) {
                    Run.this.compute(stage, count);
                }
                piece.missed(count);
            }
        }

        private void gather(int operand, int at, int count) {
            if (arrays[operand] instanceof byte[] bools) {
                BoolTiles.read(bools, at, strides[operand], gathered[operand], count);
            } else {
                TileOps.read((float[]) arrays[operand], at, strides[operand], gathered[operand], count);
            }
        }

        private void compute(TileProgram.Stage stage, int count) {
            List<TileProgram.Place> sources = stage.sources();
            TileProgram.Place first = sources.getFirst();
            TileProgram.Place second = sources.get(sources.size() > 1 ? 1 : 0);
            TileProgram.Place target = stage.target();
            if (stage.op() == null && sources.size() == 1) {
                byte[] bools = (byte[]) arrays[operands + target.index()];
                BoolTiles.write(array(first), at(first), bools, at(target), count);
            } else if (stage.op() != null) {
                stage.op().run(array(first), at(first), array(second), at(second), array(target), at(target), count);
            } else {
                TileProgram.Place third = sources.get(2);
                TileSelect.run(
                        array(first),
                        at(first),
                        array(second),
                        at(second),
                        array(third),
                        at(third),
                        array(target),
                        at(target),
                        count);
            }
        }

        private float[] array(TileProgram.Place place) {
            return switch (place.kind()) {
                case OPERAND ->
                    gathered[place.index()] == null ? (float[]) arrays[place.index()] : gathered[place.index()];
                case TEMPORARY -> temporaries[place.index()];
                case RESULT -> (float[]) arrays[operands + place.index()];
            };
        }

        private int at(TileProgram.Place place) {
            return switch (place.kind()) {
                case OPERAND -> gathered[place.index()] == null ? offsets[place.index()] + done : 0;
                case TEMPORARY -> 0;
                case RESULT -> offsets[operands + place.index()] + done;
            };
        }
    }
}
