package dev.outpost.protocol.op;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the result types of factorizations, and the operand types that they refuse. */
@Tag("quick")
class FactorizationTest {
    @Test
    void cholesky() {
        gives(new Cholesky(true), List.of("float32[4,0,3,3]", "int32[4,0]"), floats(4, 0, 3, 3));
        gives(new Cholesky(false), List.of("float32[0,0]", "int32[]"), floats(0, 0));
        refuses("cholesky: matrices must be square, got float32[2,3]", new Cholesky(true), floats(2, 3));
        refuses("cholesky: needs at least 2 dimensions, got float32[3]", new Cholesky(true), floats(3));
        refuses(
                "cholesky: needs float32 or float64, got float16[3,3]; cast it first, as with to(DType.FLOAT32)",
                new Cholesky(true),
                new TensorType(DType.FLOAT16, Shape.of(3, 3)));
        refuses(
                "cholesky: sizes of matrices must be below 2^31, got float32[0,2147483648,2147483648]",
                new Cholesky(true),
                floats(0, 1L << 31, 1L << 31));
    }

    @Test
    void lu() {
        gives(new LuFactor(true), List.of("float32[2,5,3]", "int32[2,3]", "int32[2]"), floats(2, 5, 3));
        gives(new LuFactor(true), List.of("float32[3,0]", "int32[0]", "int32[]"), floats(3, 0));
        refuses(
                "lu_factor: needs float32 or float64, got int32[2,2]; cast it first, as with to(DType.FLOAT32)",
                new LuFactor(true),
                ints(2, 2));
        gives(new PivotOrder(5), List.of("int64[2,5]"), ints(2, 3));
        refuses(
                "pivot_order: the pivots must be int32, got float32; cast with to(DType.INT32)",
                new PivotOrder(5),
                floats(3));
        refuses("pivot_order: needs at least 1 dimension, got int32[]", new PivotOrder(5), ints());
        refuses(
                "pivot_order: there must be as many rows as pivots, below 2^31, got 2 and [3]",
                new PivotOrder(2),
                ints(3));
        refuses(
                "pivot_order: there must be as many rows as pivots, below 2^31, got 2147483648 and [3]",
                new PivotOrder(1L << 31),
                ints(3));
    }

    @Test
    void triangles() {
        Op op = new TriangularSolve(true, false);
        gives(op, List.of("float32[2,3,0]"), floats(2, 3, 3), floats(2, 3, 0));
        refuses(
                "solve_triangular: as many matrices with as many rows are needed, got [2, 3, 3] and [3, 3, 1]",
                op,
                floats(2, 3, 3),
                floats(3, 3, 1));
        refuses(
                "solve_triangular: as many matrices with as many rows are needed, got [3, 3] and [2, 3]",
                op,
                floats(3, 3),
                floats(2, 3));
        refuses(
                "solve_triangular: dtypes differ, got float32 and float64; cast the float32 one with to(DType.FLOAT64)",
                op,
                floats(3, 3),
                new TensorType(DType.FLOAT64, Shape.of(3, 3)));
    }

    @Test
    void qr() {
        gives(new Qr(Qr.Form.REDUCED), List.of("float32[2,5,3]", "float32[2,3,3]"), floats(2, 5, 3));
        gives(new Qr(Qr.Form.COMPLETE), List.of("float32[5,5]", "float32[5,3]"), floats(5, 3));
        gives(new Qr(Qr.Form.REFLECTIONS), List.of("float32[3,5]", "float32[3]"), floats(3, 5));
        gives(new Qr(Qr.Form.TRIANGLE), List.of("float32[3,5]"), floats(3, 5));
        refuses(
                "qr: needs float32 or float64, got int32[2,2]; cast it first, as with to(DType.FLOAT32)",
                new Qr(Qr.Form.REDUCED),
                ints(2, 2));
        refuses(
                "shape: the number of elements overflows, got [4, 2147483647, 2147483647]",
                new Qr(Qr.Form.COMPLETE),
                floats(4, Integer.MAX_VALUE, 0));
    }

    @Test
    void eigenvaluesAndSingularValues() {
        gives(new Eigh(true), List.of("float32[2,3]", "float32[2,3,3]"), floats(2, 3, 3));
        gives(new Eigh(false), List.of("float32[0]"), floats(0, 0));
        gives(
                new Eig(true),
                List.of("float32[2,3]", "float32[2,3]", "float32[2,3,3]", "float32[2,3,3]"),
                floats(2, 3, 3));
        refuses("eig: matrices must be square, got float32[2,3]", new Eig(true), floats(2, 3));
        refuses("eigh: matrices must be square, got float32[2,3]", new Eigh(true), floats(2, 3));
        gives(new Svd(Svd.Form.VALUES), List.of("float32[4,0]"), floats(4, 0, 3));
        gives(new Svd(Svd.Form.REDUCED), List.of("float32[5,3]", "float32[3]", "float32[3,3]"), floats(5, 3));
        gives(new Svd(Svd.Form.FULL), List.of("float32[5,5]", "float32[0]", "float32[0,0]"), floats(5, 0));
    }

    @Test
    void formsThatAreNoneAreMalformed() {
        ByteWriter four = new ByteWriter();
        four.varint(4);
        for (int code : new int[] {Qr.SIGNATURE.code(), Svd.SIGNATURE.code()}) {
            assertMalformed(
                    "form of " + (code == Qr.SIGNATURE.code() ? "qr" : "svd") + " is unknown: 4",
                    () -> OpTable.read(
                            code,
                            new AttributeReader(new ByteReader(four.toByteArray()), new ByteReader(new byte[0]))));
        }
    }

    private static void gives(Op op, List<String> expected, TensorType... operands) {
        assertEquals(
                expected,
                Arrays.stream(op.infer(operands)).map(TensorType::toString).toList());
    }

    private static void refuses(String message, Op op, TensorType... operands) {
        assertRefused(message, () -> op.infer(operands));
    }

    private static TensorType floats(long... sizes) {
        return new TensorType(DType.FLOAT32, Shape.of(sizes));
    }

    private static TensorType ints(long... sizes) {
        return new TensorType(DType.INT32, Shape.of(sizes));
    }
}
