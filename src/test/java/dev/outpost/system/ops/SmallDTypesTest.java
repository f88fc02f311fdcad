package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests bytes, bools, and tensors of no or one element, as in PyTorch. */
class SmallDTypesTest extends OpsOnAMachine {
    private static Tensor bytes(long... values) {
        return longs(values).uint8();
    }

    private static Tensor isTrue(Tensor tensor) {
        return tensor.to(DType.INT64);
    }

    @Test
    @Tag("quick")
    void testsOfBytesAreBytes() {
        Tensor x = bytes(2, 0, 3, 4).view(2, 2);
        assertIs(DType.UINT8, Shape.SCALAR, x.all());
        assertIs(DType.UINT8, Shape.of(2, 1), x.any(1, true));
        assertValues(x.all(1), 0, 1);
        assertValues(x.any(), 1);
        assertIs(DType.UINT8, Shape.SCALAR, bytes().all());
        assertValues(bytes().all(), 1);
        assertEquals(DType.BOOL, longs(1).int8().all().dtype());
    }

    @Test
    void signOfNanIsZero() {
        for (DType dtype : List.of(DType.FLOAT64, DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
            assertValues(doubles(NAN, -0.0, 0, 2, -INF).to(dtype).sign(), 0, 0, 0, 1, -1);
        }
        assertValues(doubles(NAN, 2).sign_(), 0, 1);
        assertValues(slope(Tensor::abs, NAN, -3), 0, -1);
    }

    @Test
    void anAlphaForBoolsIsATruth() {
        Tensor x = bools(true, false, false);
        Tensor y = bools(true, true, false);
        for (Number alpha : new Number[] {1, 2, -1}) {
            assertTruth(x.add(y, alpha), true, true, false);
        }
        assertTruth(x.add(y, 0), true, false, false);
        assertTruth(x.add_(y, 2), true, true, false);
        assertValues(x.add(longs(1, 2, 3), 2), 3, 5, 6);
        assertValues(bytes(1, 2).add(bytes(1, 2), -1), 0, 0);
        assertRefused("add: alpha must be a whole number for bool, got 0.5", () -> x.add(y, 0.5));
    }

    @Test
    void divisorsOfPromotedIntegers() {
        assertIs(DType.INT64, Shape.of(2), bools(true, false).gcd(longs(4, 6)));
        assertValues(bools(true, false).gcd(longs(4, 6)), 1, 6);
        assertIs(DType.UINT8, Shape.of(2), bytes(6, 4).gcd(bools(true, false)));
        assertValues(bytes(6, 4).lcm(bools(true, false)), 6, 0);
        assertIs(DType.UINT8, Shape.of(2), bytes(6, 4).gcd(machine.scalar(4)));
        assertIs(DType.INT16, Shape.of(1), bytes(6).lcm(longs(4).int8()));
        assertValues(longs(127, 100).int8().lcm(longs(126, -3).int8()), -126, 44);
        assertValues(longs(Long.MIN_VALUE, 12).gcd(longs(6, Long.MIN_VALUE)).abs(), 2, 4);
        assertRefused(
                "gcd: integers are needed, got bool[1] and bool[1]",
                () -> bools(true).gcd(bools(true)));
        assertRefused(
                "lcm: integers are needed, got bool[1] and float32[1]",
                () -> bools(true).lcm(floats(1)));
    }

    @Test
    void einsumSumsNothingWhereASizeIsOne() {
        Tensor one = bytes(1).view(1, 1);
        assertIs(DType.UINT8, Shape.of(2), one.einsum("ij,k->k", bytes(1, 2)));
        assertIs(DType.UINT8, Shape.SCALAR, bytes(1, 2).view(1, 2).einsum("ij,j->", bytes(3, 4)));
        assertValues(bytes(1, 2).view(1, 2).einsum("ij,j->", bytes(3, 4)), 11);
        assertIs(DType.INT64, Shape.SCALAR, one.einsum("ij->"));
        assertIs(DType.INT64, Shape.of(1), bytes(1, 2).view(2, 1).einsum("ij,k->k", bytes(3)));
        assertIs(DType.UINT8, Shape.of(1, 1), one.einsum("ij,jk->ik", one));
    }

    @Test
    void theMedianOfNothingIsNan() {
        assertValues(floats().median(), NAN);
        assertIs(DType.FLOAT16, Shape.SCALAR, floats().float16().nanmedian());
        assertValues(machine.zeros(2, 0).median(), NAN);
        assertEquals(Long.MIN_VALUE, longs().median().itemLong());
        assertValues(bytes().nanmedian(), 0);
        assertEquals(Shape.of(0), slope(Tensor::median).shape());
        assertRefused(
                "median: nothing to choose from in dimension 1 of size 0, got [2, 0]",
                () -> machine.zeros(2, 0).median(1, false));
    }

    @Test
    void noneOfAScalarIsTheScalar() {
        Tensor scalar = doubles(3).select(0, 0);
        ValuesAndIndices top = scalar.topk(0);
        assertEquals(Shape.SCALAR, top.values().shape());
        assertValues(top.values(), 3);
        assertValues(top.indices(), 0);
        assertValues(slope(x -> x.select(0, 0).topk(0).values(), 3), 1);
        assertEquals(Shape.of(0), doubles(3).topk(0).values().shape());
        assertRefused("topk: k must be between 0 and 1, the size of dimension 0, got 2", () -> scalar.topk(2));
    }

    @Test
    void chunksOfNothing() {
        Tensor none = machine.zeros(0, 3);
        assertEquals(List.of(Shape.of(0, 3), Shape.of(0, 3), Shape.of(0, 3)), shapes(none.chunk(3, 0)));
        assertEquals(List.of(Shape.of(0, 3)), shapes(none.chunk(1, 0)));
        assertEquals(List.of(Shape.of(0, 1), Shape.of(0, 1), Shape.of(0, 1)), shapes(none.chunk(3, 1)));
        assertEquals(List.of(Shape.of(0, 3)), shapes(none.split(2, 0)));
    }

    private static List<Shape> shapes(List<Tensor> tensors) {
        return tensors.stream().map(Tensor::shape).toList();
    }

    @Test
    void indexFillCountsFromTheBack() {
        assertValues(doubles(1, 2, 3).indexFill(0, longs(-1, 0), 9), 9, 2, 9);
        assertValues(doubles(1, 2, 3).indexFill_(0, longs(-3), 9), 9, 2, 3);
        assertValues(machine.zeros(2, 2).indexFill(1, machine.scalar(-1), 9), 0, 9, 0, 9);
        assertValues(doubles(1).select(0, 0).indexFill(0, longs(-1), 9), 9);
        assertValues(slope(x -> x.indexFill(0, longs(-1, 2), 9), 1, 2, 3), 1, 1, 0);
    }

    @Test
    void outerProductsAreAddedInTheCommonDType() {
        Tensor sum = bytes(1, 2, 3, 4).view(2, 2).addr(longs(1, 0).int32(), floats(0.5, 1));
        assertIs(DType.FLOAT32, Shape.of(2, 2), sum);
        assertValues(sum, 1.5, 3, 3, 4);
    }

    @Test
    void boolsAreMultipliedOnlyWhereThereAreNone() {
        Tensor none = machine.ones(DType.BOOL, 2, 0);
        assertValues(isTrue(none.matmul(machine.ones(DType.BOOL, 0, 2))), 0, 0, 0, 0);
        assertIs(DType.BOOL, Shape.of(2, 2), none.mm(machine.ones(DType.BOOL, 0, 2)));
        assertIs(
                DType.BOOL,
                Shape.of(0, 2, 3),
                machine.ones(DType.BOOL, 0, 2, 2).bmm(machine.ones(DType.BOOL, 0, 2, 3)));
        assertValues(isTrue(none.inner(machine.ones(DType.BOOL, 3, 0))), 0, 0, 0, 0, 0, 0);
        assertRefused(
                "matmul: not defined for bool, got bool[1,1] and bool[1,1]",
                () -> bools(true).view(1, 1).matmul(bools(true).view(1, 1)));
        assertRefused(
                "dot: not defined for bool, got bool[0] and bool[0]",
                () -> machine.ones(DType.BOOL, 0).dot(machine.ones(DType.BOOL, 0)));
    }
}
