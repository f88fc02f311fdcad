package dev.outpost.runtime.engine.cpu.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.code.Step;
import dev.outpost.runtime.engine.cpu.tile.BoolTiles;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tiles compute the same bits as the generated loop, for all lengths and layouts of arrays. */
class TileLoopTest {
    private static final List<Unary> UNARIES =
            Stream.of(Unary.values()).filter(TileLoopTest::hasTiles).toList();
    private static final List<Binary> BINARIES = Stream.of(Binary.values())
            .filter(op -> TileOps.of(op).isPresent())
            .filter(op -> !op.isComparison())
            .toList();
    private static final List<Binary> COMPARISONS =
            Stream.of(Binary.values()).filter(Binary::isComparison).toList();
    private static final float[] AWKWARD = {
        0f,
        -0f,
        1f,
        -1f,
        Float.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        Float.MAX_VALUE,
        -Float.MAX_VALUE,
        88.7f,
        88.8f,
        -87.3f,
        -103.9f,
        -104.1f,
        0.624999f,
        0.625f,
        9.02f,
        1e-20f,
        3.5f
    };
    private static final int[] COUNTS = {1, 15, 16, 17, 100, 2048, 2049, 5000};
    private static final int LENGTH = 3 * 5000 + 50;

    @Test
    void eachOpByItself() {
        for (Unary op : UNARIES) {
            compare(new Expression(List.of(load(0), new Step.ApplyUnary(op, 0, DType.FLOAT32))), 1);
        }
        for (Binary op : BINARIES) {
            compare(new Expression(List.of(load(0), load(1), new Step.ApplyBinary(op, 0, 1, DType.FLOAT32))), 2);
        }
        for (Binary op : COMPARISONS) {
            compare(
                    new Expression(List.of(
                            load(0),
                            load(1),
                            new Step.ApplyBinary(op, 0, 1, DType.BOOL),
                            new Step.ApplyTernary(Ternary.WHERE, 2, 0, 1, DType.FLOAT32))),
                    2);
        }
    }

    @Test
    void severalOpsAndResults() {
        severalOps(12);
    }

    @Test
    @Tag("full")
    void severalOpsAndResultsOfManySeeds() {
        severalOps(40);
    }

    private void severalOps(int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            Random random = new Random(seed);
            List<Step> steps = new ArrayList<>(List.of(load(0), load(1), load(2)));
            while (steps.size() < 24) {
                int left = random.nextInt(steps.size());
                int right = random.nextInt(steps.size());
                steps.add(
                        random.nextBoolean()
                                ? new Step.ApplyUnary(UNARIES.get(random.nextInt(UNARIES.size())), left, DType.FLOAT32)
                                : new Step.ApplyBinary(
                                        BINARIES.get(random.nextInt(BINARIES.size())), left, right, DType.FLOAT32));
            }
            // The first result is a plain operand, the last two are the same number.
            compare(new Expression(steps, List.of(1, 10, 23, 23)), 3);
        }
    }

    /** Masks that are read, computed, combined and stored. */
    @Test
    void boolsAreReadAndStored() {
        List<Binary> joins = Stream.of(Binary.values())
                .filter(op -> BoolTiles.of(op).isPresent())
                .toList();
        for (Binary join : joins) {
            compare(
                    new Expression(
                            List.of(
                                    load(0),
                                    new Step.Load(1, DType.BOOL),
                                    new Step.ApplyUnary(Unary.IS_NAN, 0, DType.BOOL),
                                    new Step.ApplyUnary(Unary.NOT, 2, DType.BOOL),
                                    new Step.ApplyBinary(join, 1, 3, DType.BOOL),
                                    new Step.ApplyTernary(Ternary.WHERE, 2, 1, 4, DType.BOOL),
                                    new Step.Convert(4, DType.FLOAT32),
                                    new Step.ApplyBinary(Binary.MUL, 6, 0, DType.FLOAT32)),
                            List.of(7, 4, 5, 1, 4)),
                    2);
        }
    }

    @Test
    void opWithoutTileCodeIsLeftToTheGeneratedLoop() {
        assertTrue(TileProgram.of(Expression.unary(Unary.EXP, DType.FLOAT32)).isPresent());
        assertTrue(TileProgram.of(Expression.unary(Unary.EXP, DType.FLOAT64)).isEmpty());
        assertTrue(TileProgram.of(Expression.unary(Unary.LGAMMA, DType.FLOAT32)).isEmpty());
        assertTrue(TileProgram.of(Expression.cast(DType.INT32, DType.FLOAT32)).isEmpty());
        assertTrue(TileProgram.of(Expression.cast(DType.FLOAT32, DType.BOOL)).isEmpty());
        assertTrue(TileProgram.of(Expression.unary(Unary.NOT, DType.INT8)).isEmpty());
    }

    /** An intermediate value needs a tile only as long as it is still used. */
    @Test
    void aChainNeedsOneTile() {
        List<Step> steps = new ArrayList<>(List.of(load(0)));
        for (int step = 0; step < 20; step++) {
            steps.add(new Step.ApplyUnary(Unary.EXP, step, DType.FLOAT32));
        }
        assertEquals(1, TileProgram.of(new Expression(steps)).orElseThrow().temporaries());
    }

    private static boolean hasTiles(Unary op) {
        return op != Unary.IS_NAN
                && op != Unary.COPY
                && TileProgram.of(Expression.unary(op, DType.FLOAT32)).isPresent();
    }

    private static Step load(int operand) {
        return new Step.Load(operand, DType.FLOAT32);
    }

    private static void compare(Expression expression, int operands) {
        for (Access access : Access.values()) {
            List<Access> accesses = new ArrayList<>();
            for (int operand = 0; operand < operands; operand++) {
                accesses.add(operand == operands - 1 ? access : Access.ALIGNED);
            }
            expression.results().forEach(result -> accesses.add(Access.ALIGNED));
            ArrayLoop generated = generated(expression, accesses);
            for (Chains chains : List.of(Chains.compiled(64), Chains.atOnce(64))) {
                TileLoop tiles = new TileLoop(
                        TileProgram.of(expression).orElseThrow(),
                        accesses,
                        expression.results().size(),
                        new TilePool(TilePool.LENGTH),
                        chains);
                for (int count : COUNTS) {
                    compare(expression, accesses, List.of(generated, tiles), operands, count);
                }
            }
        }
    }

    private static ArrayLoop generated(Expression expression, List<Access> accesses) {
        return new LoopSource.Map(expression, accesses).compile();
    }

    private static void compare(
            Expression expression, List<Access> accesses, List<ArrayLoop> loops, int operands, int count) {
        int[] offsets = new int[accesses.size()];
        int[] strides = new int[accesses.size()];
        for (int position = 0; position < offsets.length; position++) {
            offsets[position] = accesses.get(position) == Access.ALIGNED ? 7 : 20;
            strides[position] = switch (accesses.get(position)) {
                case SCALAR -> 0;
                case ALIGNED, UNIT -> 1;
                case STRIDED -> 3;
            };
        }
        List<Object[]> arrays = loops.stream()
                .map(loop -> {
                    Object[] own = arrays(expression, accesses.size(), operands);
                    loop.run(own, offsets, strides, count);
                    return own;
                })
                .toList();
        for (int position = operands; position < offsets.length; position++) {
            if (arrays.get(0)[position] instanceof byte[] bools) {
                assertArrayEquals(bools, (byte[]) arrays.get(1)[position], () -> expression + " of " + count);
                continue;
            }
            float[] expected = (float[]) arrays.get(0)[position];
            float[] found = (float[]) arrays.get(1)[position];
            for (int index = 0; index < LENGTH; index++) {
                int place = index;
                assertEquals(
                        Float.floatToIntBits(expected[index]),
                        Float.floatToIntBits(found[index]),
                        () -> expression + " at " + place + " of " + count + ": " + expected[place] + ", "
                                + found[place]);
            }
        }
    }

    /** @param seed below 0 for no truth anywhere */
    private static byte[] bools(int seed) {
        byte[] bools = new byte[LENGTH];
        Random random = new Random(seed);
        for (int index = 0; index < LENGTH && seed >= 0; index++) {
            bools[index] = (byte) random.nextInt(2);
        }
        return bools;
    }

    private static boolean isBool(Expression expression, int position, int operands) {
        return position < operands
                ? expression.steps().contains(new Step.Load(position, DType.BOOL))
                : expression.dtype(position - operands) == DType.BOOL;
    }

    private static Object[] arrays(Expression expression, int count, int operands) {
        Object[] arrays = new Object[count];
        for (int position = 0; position < count; position++) {
            if (isBool(expression, position, operands)) {
                arrays[position] = bools(position < operands ? position : -1);
                continue;
            }
            float[] numbers = new float[LENGTH];
            Random random = new Random(position);
            for (int index = 0; index < LENGTH && position < operands; index++) {
                boolean isAwkward = random.nextInt(3) == 0;
                numbers[index] =
                        isAwkward ? AWKWARD[random.nextInt(AWKWARD.length)] : (float) (4 * random.nextGaussian());
            }
            arrays[position] = numbers;
        }
        return arrays;
    }
}
