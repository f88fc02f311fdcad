package dev.outpost.runtime.engine.cpu.loop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.code.Step;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LoopCacheTest {
    private static LoopSource doubling(Access access) {
        Expression expression = new Expression(List.of(
                new Step.Load(0, DType.FLOAT32),
                new Step.ApplyBinary(Binary.ADD, 0, 0, DType.FLOAT32),
                new Step.ApplyUnary(Unary.NEG, 1, DType.FLOAT32),
                new Step.Convert(2, DType.INT64)));
        return new LoopSource.Map(expression, List.of(access, Access.ALIGNED));
    }

    @Test
    void equalSourcesHaveEqualBytesAndOneLoop() {
        LoopCache cache = new LoopCache(2, Chains.compiled(2));
        assertArrayEquals(
                doubling(Access.UNIT).generate(), doubling(Access.UNIT).generate());
        assertSame(cache.loop(doubling(Access.UNIT)), cache.loop(doubling(Access.UNIT)));
        assertNotSame(cache.loop(doubling(Access.UNIT)), cache.loop(doubling(Access.STRIDED)));
    }

    @Test
    void theBoundDropsTheLeastRecentlyUsed() {
        LoopCache cache = new LoopCache(2, Chains.compiled(2));
        ArrayLoop first = cache.loop(doubling(Access.UNIT));
        ArrayLoop second = cache.loop(doubling(Access.STRIDED));
        assertSame(first, cache.loop(doubling(Access.UNIT)));
        cache.loop(doubling(Access.SCALAR));
        assertSame(first, cache.loop(doubling(Access.UNIT)));
        assertNotSame(second, cache.loop(doubling(Access.STRIDED)));
    }

    @Test
    void severalStepsRunInOneLoop() {
        for (Access access : Access.values()) {
            int stride = access == Access.STRIDED ? 3 : 1;
            float[] source = {0, 0, 1.75f, 2, 3, 4, 5, 6};
            long[] result = new long[4];
            ArrayLoop loop = new LoopCache(1, Chains.compiled(1)).loop(doubling(access));
            loop.run(new Object[] {source, result}, new int[] {2, 2}, new int[] {stride, 1}, 2);
            long second = access == Access.SCALAR ? -3 : access == Access.STRIDED ? -8 : -4;
            assertArrayEquals(new long[] {0, 0, -3, second}, result, access.name());
        }
    }

    /** A scan reads what it has just written: the compiled loop must not read ahead. */
    @Test
    void aLoopOverItsOwnResultStaysInOrderOnceCompiled() {
        ArrayLoop add = new LoopCache(1, Chains.compiled(1))
                .loop(new LoopSource.Map(
                        Expression.binary(Binary.ADD, DType.INT32), List.of(Access.UNIT, Access.UNIT, Access.ALIGNED)));
        int[] ones = new int[1000];
        Arrays.fill(ones, 1);
        int[] sums = new int[1001];
        for (int round = 0; round < 20_000; round++) {
            sums[0] = 0;
            add.run(new Object[] {sums, ones, sums}, new int[] {0, 0, 1}, new int[] {1, 1, 1}, 1000);
            assertEquals(1000, sums[1000]);
        }
    }
}
