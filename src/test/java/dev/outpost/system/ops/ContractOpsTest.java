package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContractOpsTest extends OpsOnAMachine {
    /** 0, 1, 2, … */
    private static Tensor counting(long... shape) {
        return machine.arange(Shape.of(shape).elements()).reshape(shape).float64();
    }

    /** Row by column, from elementwise ops. */
    private static Tensor slowly(Tensor left, Tensor right) {
        return left.unsqueeze(-1).mul(right.unsqueeze(-3)).sum(-2);
    }

    @ParameterizedTest
    @CsvSource({
        "2 3, 3 4",
        "5 2 3, 3 4",
        "5 2 3, 5 3 4",
        "5 2 3, 1 3 4",
        "1 2 3, 5 3 4",
        "1 2 3, 3 4",
        "1 2 3, 1 3 4",
        "2 3, 5 3 4",
        "6 1 2 3, 5 3 4",
        "6 5 2 3, 5 3 4",
        "0 2 3, 3 4",
        "2 0, 0 4",
        "2 1 2 3, 1 3 4"
    })
    void matricesMultiplyBatchByBatch(String left, String right) {
        Tensor a = counting(sizes(left));
        Tensor b = counting(sizes(right));
        Tensor expected = slowly(a, b);
        assertIs(DType.FLOAT64, expected.shape(), a.matmul(b));
        assertValues(a.matmul(b), expected.toDoubleArray());
    }

    private static long[] sizes(String text) {
        return Arrays.stream(text.trim().split(" ")).mapToLong(Long::parseLong).toArray();
    }

    @Test
    @Tag("quick")
    void vectorsAreRowsAndColumns() {
        assertValues(doubles(1, 2, 3).matmul(doubles(4, 5, 6)), 32);
        assertValues(counting(2, 3).matmul(doubles(1, 1, 1)), 3, 12);
        assertValues(doubles(1, 1).matmul(counting(2, 3)), 3, 5, 7);
        assertIs(DType.FLOAT64, Shape.of(5, 4), doubles(1, 2, 3).matmul(counting(5, 3, 4)));
        assertIs(DType.FLOAT64, Shape.of(5, 2), counting(5, 2, 3).matmul(doubles(1, 2, 3)));
    }

    @Test
    void scatteredOperandsMultiply() {
        Tensor a = counting(3, 5, 2).permute(1, 2, 0);
        Tensor b = counting(4, 3).t();
        assertValues(a.matmul(b), slowly(a, b).toDoubleArray());
    }

    @Test
    @Tag("quick")
    void mismatchNamesTheUsersShapes() {
        assertRefused(
                "matmul: inner dimensions differ, got [2, 3] and [4, 5]",
                () -> counting(2, 3).matmul(counting(4, 5)));
        assertRefused(
                "matmul: inner dimensions differ, got [3] and [4]",
                () -> counting(3).matmul(counting(4)));
        assertRefused(
                "matmul: batches do not broadcast, got [2, 1, 3] and [4, 3, 1]",
                () -> counting(2, 1, 3).matmul(counting(4, 3, 1)));
        assertRefused(
                "matmul: dtypes differ, got float32 and float64; cast the float32 one with to(DType.FLOAT64)",
                () -> floats(1).matmul(doubles(1)));
        assertRefused(
                "matmul: not defined for bool, got bool[1] and bool[1]",
                () -> bools(true).matmul(bools(true)));
        assertRefused(
                "matmul: both operands need at least one dimension, got [] and [1]",
                () -> machine.scalar(1.0).matmul(floats(1)));
        assertRefused(
                "mm: needs tensors of 2 and 2 dimensions, got [2, 3] and [3]",
                () -> counting(2, 3).mm(counting(3)));
        assertRefused(
                "bmm: batch sizes differ, got [2, 1, 3] and [1, 3, 1]",
                () -> counting(2, 1, 3).bmm(counting(1, 3, 1)));
        assertRefused(
                "addmm: the addend does not broadcast to the product, got [5] and [2, 4]",
                () -> counting(5).addmm(counting(2, 3), counting(3, 4)));
    }

    @Test
    void gradientsOfABroadcastProduct() {
        Tensor a = counting(4, 2, 3).requiresGrad(true);
        Tensor b = counting(3, 2).requiresGrad(true);
        a.matmul(b).sum().backward();
        assertValues(b.grad(), a.detach().sum(0, 1).unsqueeze(1).expand(3, 2).toDoubleArray());
        assertValues(a.grad(), b.detach().sum(1).expand(4, 2, 3).toDoubleArray());
    }

    @Test
    void productsOfVectors() {
        assertValues(doubles(1, 2).outer(doubles(3, 4)), 3, 4, 6, 8);
        assertValues(doubles(1, 2).dot(doubles(3, 4)), 11);
        assertValues(doubles(1, 2).inner(doubles(3, 4)), 11);
        assertIs(DType.FLOAT64, Shape.of(2, 5), counting(2, 3).inner(counting(5, 3)));
        assertValues(counting(2, 3).mv(doubles(1, 0, 1)), 2, 8);
        assertValues(doubles(1, 2).kron(doubles(1, 10)), 1, 10, 2, 20);
        assertValues(counting(2, 1).kron(doubles(1, 2)), 0, 0, 1, 2);
    }

    @Test
    void productsThatAreAdded() {
        assertValues(doubles(1).addmm(counting(1, 2), counting(2, 1), 10, 2), 12);
        assertValues(doubles(NAN).addmm(counting(1, 2), counting(2, 1), 0, 1), 1);
        assertValues(doubles(1).addmv(counting(1, 2), doubles(1, 1)), 2);
        assertValues(doubles(1).addr(doubles(2), doubles(3)), 7);
        assertValues(doubles(1).baddbmm(counting(2, 1, 2), counting(2, 2, 1)), 2, 14);
        assertValues(doubles(1).addbmm(counting(2, 1, 2), counting(2, 2, 1)), 15);
    }

    @Test
    void contractionsOfAnyDimensions() {
        Tensor a = counting(2, 3, 4);
        Tensor b = counting(4, 3, 5);
        Tensor expected = a.einsum("abc,cbd->ad", b);
        assertValues(a.tensordot(b, new int[] {1, 2}, new int[] {1, 0}), expected.toDoubleArray());
        assertIs(DType.FLOAT64, Shape.of(2, 3, 3, 5), a.tensordot(b, 1));
        assertRefused(
                "tensordot: contracted dimensions differ, got [0] of [2, 3, 4] and [0] of [4, 3, 5]",
                () -> a.tensordot(b, new int[] {0}, new int[] {0}));
    }

    @Test
    @Tag("quick")
    void einsteinSums() {
        Tensor m = counting(3, 3);
        assertValues(m.einsum("ii->"), 12);
        assertValues(m.einsum("ii->i"), 0, 4, 8);
        assertValues(m.einsum("ij->ji"), m.t().toDoubleArray());
        assertValues(m.einsum("ba"), m.t().toDoubleArray());
        assertValues(m.einsum("ij->j"), 9, 12, 15);
        assertValues(m.einsum("ij,jk", m), m.matmul(m).toDoubleArray());
        assertValues(m.einsum("ij,ij->", m), m.square().sum().toDoubleArray());
        assertValues(doubles(1, 2).einsum("i,j->ij", doubles(3, 4)), 3, 4, 6, 8);
        assertValues(m.einsum("ij,jk,kl->il", m, m), m.matmul(m).matmul(m).toDoubleArray());
    }

    @Test
    void ellipsesBroadcast() {
        Tensor a = counting(5, 1, 2, 3);
        Tensor b = counting(4, 3, 2);
        assertValues(a.einsum("...ij,...jk->...ik", b), a.matmul(b).toDoubleArray());
        assertEquals(Shape.of(5, 4, 2, 2), a.einsum("...ij,...jk->...ik", b).shape());
        assertValues(counting(2, 3).einsum("...->..."), counting(6).toDoubleArray());
        assertValues(counting(2, 3).einsum("i...->..."), 3, 5, 7);
    }

    @Test
    void equationsAreChecked() {
        Tensor m = counting(2, 3);
        assertRefused("einsum: label i has two sizes, got 2 and 3, got ii", () -> m.einsum("ii"));
        assertRefused(
                "einsum: the term ijk does not fit a tensor of shape [2, 3], got ijk->i", () -> m.einsum("ijk->i"));
        assertRefused("einsum: the result's label k is in no operand, got ij->k", () -> m.einsum("ij->k"));
        assertRefused("einsum: the result repeats a label, got ij->ii", () -> m.einsum("ij->ii"));
        assertRefused("einsum: an equation for 2 operands is needed, got ij", () -> m.einsum("ij", m));
        assertRefused("einsum: labels are letters, got 1, got i1", () -> m.einsum("i1"));
    }
}
