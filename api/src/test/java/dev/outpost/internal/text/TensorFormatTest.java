package dev.outpost.internal.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.HostTensor;
import dev.outpost.internal.ops.HostElements;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The text equals PyTorch's for the same values. */
@Tag("quick")
class TensorFormatTest {
    private static HostTensor floats(double... values) {
        return HostTensor.of(values).to(DType.FLOAT32);
    }

    private static HostTensor counting(long... shape) {
        int elements = (int) Shape.of(shape).elements();
        return HostTensor.of(IntStream.range(0, elements).asLongStream().toArray(), shape);
    }

    private static HostElements elements(HostTensor tensor) {
        return new HostElements(tensor.dtype(), tensor.shape(), tensor.bytes());
    }

    private static void assertPrints(String expected, HostTensor tensor) {
        assertEquals(expected.stripTrailing(), tensor.toString());
    }

    @Test
    void wholeFloatsEndInAPoint() {
        assertPrints("""
            tensor([[1., 2.],
                    [3., 4.]])
            """, floats(1, 2, 3, 4).reshape(2, 2));
        assertPrints("tensor([  1., -10.,   0.])", floats(1, -10, 0));
    }

    @Test
    void otherFloatsHaveFourDecimals() {
        assertPrints("tensor([ 0.1000, -2.5000, 10.0000])", floats(0.1, -2.5, 10));
        assertPrints("tensor(3.1400)", HostTensor.scalar(3.14f));
    }

    @Test
    void roundsTheExactBinaryValue() {
        assertPrints("tensor([0.0312, 0.0938, 1.0000])", floats(0.03125, 0.09375, 1.00005));
        assertPrints("tensor([ 0.1000, -0.0001])", floats(0.1, -0.00012207031));
        assertPrints("tensor([-0., 1.])", floats(-0.0, 1));
    }

    @Test
    void unevenFloatsAreScientific() {
        assertPrints("tensor([1.0000e+00, 2.0000e+03])", floats(1, 2000));
        assertPrints("tensor([   1., 1000.])", floats(1, 1000));
        assertPrints("tensor([1.0000e-05])", floats(1e-5));
        assertPrints("tensor([ 1.2346e+09, -1.0000e-01])", floats(1234567890, -0.1));
        assertPrints("tensor([1.0000e+09])", floats(1e9));
        assertPrints("tensor([1.0000e+100,  0.0000e+00], dtype=float64)", HostTensor.of(new double[] {1e100, 0}));
    }

    @Test
    void roundingMayCarryIntoTheExponent() {
        assertPrints("tensor([1.0000e+10])", floats(9.99999e9));
    }

    @Test
    void nanAndInfinityDoNotAffectTheNotation() {
        assertPrints("tensor([nan, inf, -inf, 1.])", floats(Double.NaN, 1 / 0., -1 / 0., 1));
        assertPrints("tensor([   nan, 0.5000,   -inf])", floats(Double.NaN, 0.5, -1 / 0.));
        assertPrints("tensor([       nan, 1.0000e-06,        inf])", floats(Double.NaN, 1e-6, 1 / 0.));
        assertPrints("tensor(nan)", HostTensor.scalar(Float.NaN));
    }

    @Test
    void integersAndBooleansAlign() {
        assertPrints("tensor([  1, -20, 300])", HostTensor.of(new long[] {1, -20, 300}));
        assertPrints("tensor([ True, False])", HostTensor.of(new boolean[] {true, false}));
        assertPrints("tensor(True)", HostTensor.scalar(true));
        assertPrints("tensor(7)", HostTensor.scalar(7L));
    }

    @Test
    void aDTypeIsShownUnlessItIsEvident() {
        assertPrints("tensor([1, 2], dtype=int32)", HostTensor.of(new int[] {1, 2}));
        assertPrints(
                "tensor([255], dtype=uint8)", HostTensor.of(new byte[] {-1}).to(DType.UINT8));
        assertPrints("tensor([0.5000], dtype=float64)", HostTensor.of(new double[] {0.5}));
        assertPrints("tensor([0.3333], dtype=float16)", floats(1 / 3.).to(DType.FLOAT16));
        assertPrints("tensor([0.3340], dtype=bfloat16)", floats(1 / 3.).to(DType.BFLOAT16));
    }

    @Test
    void emptyTensorsShowWhatTheirElementsCannot() {
        assertPrints("tensor([])", floats());
        assertPrints("tensor([], size=(0, 3))", floats().reshape(0, 3));
        assertPrints("tensor([], dtype=int64)", HostTensor.of(new long[0]));
        assertPrints("tensor([], size=(2, 0), dtype=bool)", HostTensor.of(new boolean[0], 2, 0));
    }

    @Test
    void longRowsAreBrokenAtEightyColumns() {
        assertPrints("""
            tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
                    18, 19])
            """, counting(20));
    }

    @Test
    void outerDimensionsAreSetApartByBlankLines() {
        assertPrints("""
            tensor([[[0, 1],
                     [2, 3]],

                    [[4, 5],
                     [6, 7]]])
            """, counting(2, 2, 2));
    }

    @Test
    void largeTensorsShowTheirEdges() {
        assertPrints("tensor([   0,    1,    2,  ..., 1998, 1999, 2000])", counting(2001));
        assertPrints("""
            tensor([[   0,    1,    2,  ...,   37,   38,   39],
                    [  40,   41,   42,  ...,   77,   78,   79],
                    [  80,   81,   82,  ...,  117,  118,  119],
                    ...,
                    [1480, 1481, 1482,  ..., 1517, 1518, 1519],
                    [1520, 1521, 1522,  ..., 1557, 1558, 1559],
                    [1560, 1561, 1562,  ..., 1597, 1598, 1599]])
            """, counting(40, 40));
        assertPrints("""
            tensor([[   0,    1,    2,  ...,  597,  598,  599],
                    [ 600,  601,  602,  ..., 1197, 1198, 1199]], dtype=int16)
            """, counting(2, 600).to(DType.INT16));
    }

    @Test
    void theNotationFollowsFromWhatIsShown() {
        double[] values = new double[1001];
        values[500] = 1e-12;
        assertPrints("tensor([0., 0., 0.,  ..., 0., 0., 0.])", floats(values));
    }

    @Test
    void aLargeTensorIsPrintedFromItsEdges() {
        Shape huge = Shape.of(1_000_000, 2);
        assertArrayEquals(new long[] {0, 1, 2, 999_997, 999_998, 999_999}, TensorFormat.shownIndices(huge, 0));
        assertFalse(TensorFormat.isCut(huge, 1));
        assertEquals("""
            tensor([[ 0,  1],
                    [ 2,  3],
                    [ 4,  5],
                    ...,
                    [ 6,  7],
                    [ 8,  9],
                    [10, 11]], requires_grad=True)\
            """, TensorFormat.format(huge, elements(counting(6, 2)), List.of("requires_grad=True")));
    }

    @Test
    void aSuffixThatDoesNotFitGoesToItsOwnLine() {
        assertPrints("""
            tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000],
                   dtype=float64)
            """, HostTensor.of(new double[] {.5, .5, .5, .5, .5, .5, .5, .5, .5}));
    }
}
