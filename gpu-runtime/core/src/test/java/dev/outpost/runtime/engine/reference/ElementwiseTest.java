package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static dev.outpost.runtime.engine.reference.ReferenceOp.scalar;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static dev.outpost.runtime.engine.reference.ReferenceOp.transposed;
import static dev.outpost.runtime.engine.reference.ReferenceOp.vector;
import static dev.outpost.types.DType.BFLOAT16;
import static dev.outpost.types.DType.BOOL;
import static dev.outpost.types.DType.FLOAT16;
import static dev.outpost.types.DType.FLOAT32;
import static dev.outpost.types.DType.FLOAT64;
import static dev.outpost.types.DType.INT32;
import static dev.outpost.types.DType.INT64;
import static dev.outpost.types.DType.INT8;
import static dev.outpost.types.DType.UINT8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElementwiseTest {
    private static final double NAN = Double.NaN;
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    @ParameterizedTest
    @EnumSource
    void everyUnaryRunsOnEveryDtypeThatItsRuleAccepts(Unary op) {
        for (DType dtype : DType.values()) {
            Array operand = vector(dtype, 1, 0, 1);
            if (accepts(() -> op.infer(operand.type()))) {
                assertDoesNotThrow(() -> run(op, operand), dtype::label);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyBinaryRunsOnEveryDtypeThatItsRuleAccepts(Binary op) {
        for (DType dtype : DType.values()) {
            Array operand = vector(dtype, 1, 1, 1);
            if (accepts(() -> op.infer(operand.type(), operand.type()))) {
                assertDoesNotThrow(() -> run(op, operand, operand), dtype::label);
            }
        }
    }

    private static boolean accepts(java.util.function.Supplier<TensorType[]> rule) {
        try {
            return rule.get().length == 1;
        } catch (OpException ignored) {
            return false;
        }
    }

    @Test
    @Tag("quick")
    void broadcastsStridedOperands() {
        Array left = transposed(tensor(FLOAT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6));
        Array right = vector(FLOAT32, 10, 20);
        Array sum = run(Binary.ADD, left, right);
        assertEquals(Shape.of(3, 2), sum.shape());
        assertArrayEquals(new double[] {11, 24, 12, 25, 13, 26}, doubles(sum));
    }

    @Test
    void takesScalarsAndEmptyOperands() {
        assertArrayEquals(new double[] {6}, doubles(run(Binary.MUL, scalar(INT32, 2), scalar(INT32, 3))));
        assertEquals(
                Shape.of(0, 3),
                run(Binary.ADD, empty(FLOAT32, 0, 3), scalar(FLOAT32, 1)).shape());
        assertEquals(0, doubles(run(Unary.EXP, empty(FLOAT64, 0))).length);
    }

    @Test
    void floatsRoundOnceFromDouble() {
        Array third = run(Binary.DIV, scalar(FLOAT32, 1), scalar(FLOAT32, 3));
        assertEquals(1f / 3, doubles(third)[0]);
        Array halves = run(Binary.ADD, scalar(BFLOAT16, 256), scalar(BFLOAT16, 1));
        assertEquals(256, doubles(halves)[0]);
    }

    @Test
    @Tag("quick")
    void integersWrap() {
        assertArrayEquals(new long[] {-126, 4}, longs(run(Binary.ADD, vector(INT8, 127, 1), scalar(INT8, 3))));
        assertArrayEquals(new long[] {251}, longs(run(Unary.NEG, vector(UINT8, 5))));
        Array lowest = longs(Long.MIN_VALUE);
        assertArrayEquals(new long[] {Long.MIN_VALUE}, longs(run(Unary.ABS, lowest)));
        assertArrayEquals(new long[] {Long.MIN_VALUE}, longs(run(Binary.TRUNC_DIV, lowest, longs(-1))));
    }

    @Test
    void boolsAddByOrAndMultiplyByAnd() {
        Array left = vector(BOOL, 0, 0, 1, 1);
        Array right = vector(BOOL, 0, 1, 0, 1);
        assertArrayEquals(new long[] {0, 1, 1, 1}, longs(run(Binary.ADD, left, right)));
        assertArrayEquals(new long[] {0, 0, 0, 1}, longs(run(Binary.MUL, left, right)));
        assertArrayEquals(new long[] {0, 1, 1, 0}, longs(run(Binary.XOR, left, right)));
        assertArrayEquals(new long[] {0, 1, 0, 0}, longs(run(Binary.LT, left, right)));
        assertArrayEquals(new long[] {1, 1, 0, 0}, longs(run(Unary.NOT, left)));
    }

    @Test
    @Tag("quick")
    void integerDivisionsDifferInTheirSigns() {
        Array left = vector(INT32, 7, -7, 7, -7);
        Array right = vector(INT32, 3, 3, -3, -3);
        assertArrayEquals(new long[] {2, -2, -2, 2}, longs(run(Binary.TRUNC_DIV, left, right)));
        assertArrayEquals(new long[] {2, -3, -3, 2}, longs(run(Binary.FLOOR_DIV, left, right)));
        assertArrayEquals(new long[] {1, 2, -2, -1}, longs(run(Binary.REMAINDER, left, right)));
        assertArrayEquals(new long[] {1, -1, 1, -1}, longs(run(Binary.FMOD, left, right)));
    }

    @Test
    @Tag("quick")
    void integerDivisionByZeroIsTheUsersFault() {
        OpException fault =
                assertThrows(OpException.class, () -> run(Binary.FLOOR_DIV, vector(INT64, 4, 7), vector(INT64, 2, 0)));
        assertEquals("floor_divide: integer division by zero, got 7 and 0", fault.getMessage());
        assertEquals(FaultKind.USER, fault.kind());
        for (Binary op : new Binary[] {Binary.TRUNC_DIV, Binary.REMAINDER, Binary.FMOD}) {
            assertThrows(OpException.class, () -> run(op, scalar(UINT8, 1), scalar(UINT8, 0)), op::label);
        }
    }

    @Test
    void floatingDivisionsRoundAsPyTorchs() {
        Array left = vector(FLOAT64, 7, -7, 1, -1, 0, 1, 0.6);
        Array right = vector(FLOAT64, 2, 2, 0, 0, 0, -INFINITY, 0.1);
        double[] floor = {3, -4, INFINITY, -INFINITY, NAN, -1, 5};
        assertArrayEquals(floor, doubles(run(Binary.FLOOR_DIV, left, right)));
        double[] truncated = {3, -3, INFINITY, -INFINITY, NAN, -0.0, 5};
        assertArrayEquals(truncated, doubles(run(Binary.TRUNC_DIV, left, right)));
        double[] remainders = {1, 1, NAN, NAN, NAN, -INFINITY, 0.6 % 0.1};
        assertArrayEquals(remainders, doubles(run(Binary.REMAINDER, left, right)));
    }

    @Test
    void powersOfIntegersWrapAndTakeNegativeExponents() {
        Array base = vector(INT64, 3, 0, 2, 1, -1, -1, 0);
        Array exponent = vector(INT64, 4, 0, -1, -5, -3, -2, -1);
        assertArrayEquals(new long[] {81, 1, 0, 1, -1, 1, 0}, longs(run(Binary.POW, base, exponent)));
        long wrapped = 1;
        for (int factor = 0; factor < 50; factor++) {
            wrapped *= 3;
        }
        assertArrayEquals(new long[] {wrapped}, longs(run(Binary.POW, longs(3L), longs(50L))));
        assertArrayEquals(new long[] {(byte) 243}, longs(run(Binary.POW, scalar(INT8, 3), scalar(INT8, 5))));
    }

    @Test
    void powersOfOneAreOneAsInC() {
        Array powers = run(Binary.POW, vector(FLOAT64, 1, 1, -1), vector(FLOAT64, NAN, INFINITY, INFINITY));
        assertArrayEquals(new double[] {1, 1, 1}, doubles(powers));
    }

    @Test
    void shiftsOutsideTheWidthEmptyTheNumber() {
        Array numbers = vector(INT8, 5, 5, 5, -5, -5, -5);
        Array counts = vector(INT8, 1, 8, -1, 1, 100, -1);
        assertArrayEquals(new long[] {10, 0, 0, -10, 0, 0}, longs(run(Binary.SHIFT_LEFT, numbers, counts)));
        assertArrayEquals(new long[] {2, 0, 0, -3, -1, -1}, longs(run(Binary.SHIFT_RIGHT, numbers, counts)));
    }

    @Test
    @Tag("quick")
    void nanOutlivesSelections() {
        Array left = vector(FLOAT32, NAN, 1, 2);
        Array right = vector(FLOAT32, 1, NAN, 3);
        assertArrayEquals(new double[] {NAN, NAN, 3}, doubles(run(Binary.MAXIMUM, left, right)));
        assertArrayEquals(new double[] {NAN, NAN, 2}, doubles(run(Binary.MINIMUM, left, right)));
        assertArrayEquals(new double[] {NAN, 0, 2}, doubles(run(Unary.RELU, vector(FLOAT32, NAN, -1, 2))));
        assertArrayEquals(new long[] {1, 0, 0}, longs(run(Unary.IS_NAN, left)));
        assertArrayEquals(new long[] {1, 1, 1}, longs(run(Binary.NE, left, right)));
    }

    @Test
    void signOfNanIsZero() {
        Array numbers = vector(FLOAT32, NAN, -3, 2, -0.0);
        assertArrayEquals(new double[] {0, -1, 1, 0}, doubles(run(Unary.SIGN, numbers)));
    }

    @Test
    void roundsHalvesToEvenAndTruncatesTowardZero() {
        Array halves = vector(FLOAT64, 0.5, 1.5, 2.5, -0.5, -1.5);
        assertArrayEquals(new double[] {0, 2, 2, -0.0, -2}, doubles(run(Unary.ROUND, halves)));
        assertArrayEquals(new double[] {0, 1, 2, -0.0, -1}, doubles(run(Unary.TRUNC, halves)));
    }

    @Test
    void theNextNumberIsTheDtypes() {
        assertEquals(1 + 0x1p-52, next(FLOAT64, 1, 2));
        assertEquals(1 + 0x1p-23, next(FLOAT32, 1, 2));
        assertEquals(1 + 0x1p-10, next(FLOAT16, 1, 2));
        assertEquals(1 + 0x1p-7, next(BFLOAT16, 1, 2));
        assertEquals(1 - 0x1p-11, next(FLOAT16, 1, -2));
        assertEquals(-0x1p-24, next(FLOAT16, 0, -1));
        assertEquals(INFINITY, next(FLOAT16, 65504, INFINITY));
        assertEquals(3, next(BFLOAT16, 3, 3));
        assertEquals(NAN, next(BFLOAT16, 3, NAN));
    }

    private static double next(DType dtype, double from, double toward) {
        return doubles(run(Binary.NEXTAFTER, scalar(dtype, from), scalar(dtype, toward)))[0];
    }

    @Test
    void castsTruncateWrapAndTest() {
        Array numbers = vector(FLOAT32, 2.9, -2.9, 300, NAN, 0);
        assertArrayEquals(new long[] {2, -2, 44, 0, 0}, longs(run(new Cast(INT8), numbers)));
        assertArrayEquals(new long[] {2, 254, 44, 0, 0}, longs(run(new Cast(UINT8), numbers)));
        assertArrayEquals(new long[] {1, 1, 1, 1, 0}, longs(run(new Cast(BOOL), numbers)));
        assertArrayEquals(new long[] {-1, 0}, longs(run(new Cast(INT8), longs(255L, 256L))));
        assertArrayEquals(new double[] {1, 0}, doubles(run(new Cast(FLOAT16), vector(BOOL, 1, 0))));
    }

    /** By way of a double, this one would be rounded twice, and down. */
    @Test
    void castsOfLongsRoundOnce() {
        long number = (1L << 60) + (1L << 36) + 1;
        assertEquals((float) number, doubles(run(new Cast(FLOAT32), longs(number)))[0]);
    }

    @Test
    void copiesKeepBits() {
        Array numbers = longs(Long.MAX_VALUE, (1L << 53) + 1);
        assertArrayEquals(longs(numbers), longs(run(Unary.COPY, numbers)));
    }

    @Test
    void whereBroadcastsAllThree() {
        Array condition = tensor(BOOL, Shape.of(2, 1), 1, 0);
        Array chosen = run(Ternary.WHERE, condition, longs(1L << 60, 2, 3), ReferenceOp.scalar(INT64, 7));
        assertEquals(Shape.of(2, 3), chosen.shape());
        assertArrayEquals(new long[] {1L << 60, 2, 3, 7, 7, 7}, longs(chosen));
    }
}
