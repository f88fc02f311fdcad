package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code addcmul}, {@code addcdiv} and {@code lerp}: the promotion of all three operands, and of a number. */
class ScaledSumTest extends OpsOnAMachine {

    /** With only two operands, a float64 scalar and integers would give float64. */
    @Test
    @Tag("quick")
    void allOperandsArePromotedTogether() {
        Tensor halves = floats(1, 2).float16();
        Tensor scalar = machine.scalar(3.0).float64();
        Tensor integers = longs(3, 4);
        assertIs(DType.FLOAT16, Shape.of(2), halves.addcmul(scalar, integers));
        assertIs(DType.FLOAT16, Shape.of(2), halves.addcdiv(scalar, integers));
        assertIs(DType.FLOAT32, Shape.of(2), scalar.float32().addcdiv(integers, floats(1, 2)));
        assertIs(
                DType.UINT8,
                Shape.of(2),
                machine.scalar(1).addcmul(machine.scalar(2).int32(), integers.uint8()));
        assertIs(DType.FLOAT32, Shape.of(2), integers.addcmul(machine.scalar(1.5), integers));
    }

    @Test
    void integersAreAddedInTheCommonDType() {
        assertValues(doubles(0.5).addcmul(floats(1).div(3), doubles(3)), 0.5 + 3 * (double) (1f / 3));
        assertValues(longs(1).addcmul(longs(1L << 40).int64(), longs(3).int32()), 1 + 3.0 * (1L << 40));
        assertValues(longs(1).addcmul(longs(200).uint8(), longs(200).uint8()), 40001);
    }

    @Test
    void theValueForIntegersLosesItsFraction() {
        Tensor x = longs(10, 20);
        assertValues(x.addcmul(longs(3, 4), longs(5, 7), 0.9), 10, 20);
        assertValues(x.addcmul(longs(3, 4), longs(5, 7), -2.7), -20, -36);
        assertIs(DType.INT64, Shape.of(2), x.addcmul(longs(3, 4), longs(5, 7), 2.7));
        assertValues(x.uint8().addcmul(longs(3, 4).uint8(), longs(5, 7).uint8(), 2.7), 40, 76);
        assertValues(x.addcmul_(longs(3, 4), longs(5, 7), 2.7), 40, 76);
        assertRefused(
                "addcmul: 300 does not fit uint8, which holds 0 to 255",
                () -> x.uint8().addcmul(x.uint8(), x.uint8(), 300));
        assertRefused(
                "addcmul: not defined for bool, got bool[1], bool[1] and bool[1]",
                () -> bools(true).addcmul(bools(true), bools(true)));
        assertRefused(
                "addcmul_: a float32 result cannot be stored in int64; use the op that makes a new tensor, or cast this one first with to(DType.FLOAT32)",
                () -> x.addcmul_(floats(1), x));
    }

    @Test
    void halvesAreComputedInFloat32() {
        Tensor large = floats(60000).float16();
        assertValues(floats(1).float16().addcmul(large, large, 1e-6), 3600);
        assertValues(floats(1).float16().addcdiv(large, floats(0.001).float16(), 0.001), 59968);
        assertValues(
                floats(1, 60000)
                        .float16()
                        .lerp(floats(3, -60000).float16(), floats(0.3, 0.7).float16()),
                1.599609375,
                -24016);
        assertValues(floats(1, 60000).float16().lerp(floats(3, -60000).float16(), 0.3), 1.599609375, 24000);
    }

    @Test
    void gradientsHaveTheDTypeOfTheirOperands() {
        Tensor x = floats(1, 2).float16().requiresGrad(true);
        Tensor scalar = machine.scalar(3.0).float64().requiresGrad(true);
        Tensor divisor = floats(3, 0).requiresGrad(true);
        Tensor sum = x.addcdiv(scalar, divisor);
        assertEquals(DType.FLOAT32, sum.dtype());
        sum.sum().backward();
        assertEquals(DType.FLOAT16, x.grad().dtype());
        assertIs(DType.FLOAT64, Shape.SCALAR, scalar.grad());
        assertValues(scalar.grad(), INF);
        assertValues(divisor.grad(), -1.0 / 3, -INF);
    }

    @Test
    void lerpTakesIntegersOnlyByAFloatingScalar() {
        Tensor start = longs(0, 10);
        Tensor end = longs(10, 20);
        assertIs(DType.FLOAT32, Shape.of(2), start.lerp(end, machine.scalar(0.5)));
        assertValues(start.lerp(end, machine.scalar(0.5)), 5, 15);
        assertIs(DType.FLOAT64, Shape.of(2), start.lerp(end, machine.scalar(0.5).float64()));
        assertIs(DType.FLOAT16, Shape.of(2), start.float16().lerp(end.float16(), machine.scalar(0.5)));
        assertRefused(
                "lerp: needs a floating dtype, got int64[2]; cast it first, as with to(DType.FLOAT32)",
                () -> start.lerp(end, 0.5));
        assertRefused(
                "lerp: needs a floating dtype, got int64[2]; cast it first, as with to(DType.FLOAT32)",
                () -> start.lerp(end, longs(1, 1)));
        assertRefused(
                "lerp: dtypes differ, got int64 and float32; cast the int64 one with to(DType.FLOAT32)",
                () -> start.lerp(end, floats(0.5, 0.5)));
    }
}
