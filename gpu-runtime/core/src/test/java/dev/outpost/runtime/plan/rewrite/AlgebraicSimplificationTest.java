package dev.outpost.runtime.plan.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.Sketch;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import org.junit.jupiter.api.Test;

class AlgebraicSimplificationTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final TensorType INTEGERS = new TensorType(DType.INT32, Shape.of(2, 3));

    private final Sketch sketch = new Sketch();

    private RewriteContext draft() {
        return VerifiedDrafts.draft(sketch.graph(), new AlgebraicSimplification(), true);
    }

    /** Records ops on a cast of an input, number 2, so that their operand is computed in the segment. */
    private int standInOf(TensorType type, Op... ops) {
        int input = sketch.input(type);
        int last = sketch.op(new Cast(DType.BOOL), input);
        last = sketch.op(new Cast(type.dtype()), last);
        for (Op op : ops) {
            last = op instanceof Binary ? sketch.op(op, last, last) : sketch.op(op, last);
        }
        return draft().replacements()[last];
    }

    @Test
    void inversePairsAreRemoved() {
        assertEquals(2, standInOf(FLOATS, Unary.NEG, Unary.NEG));
    }

    @Test
    void fourInversesAreRemoved() {
        assertEquals(2, standInOf(INTEGERS, Unary.NOT, Unary.NOT, Unary.NOT, Unary.NOT));
    }

    @Test
    void idempotentOpsAreAppliedOnce() {
        assertEquals(3, standInOf(FLOATS, Unary.RELU, Unary.RELU, Unary.RELU));
    }

    @Test
    void theLargerOfOneAndTheSame() {
        assertEquals(2, standInOf(FLOATS, Binary.MAXIMUM));
    }

    @Test
    void sumWithItselfIsNotAnIdentity() {
        assertEquals(3, standInOf(FLOATS, Binary.ADD));
    }

    @Test
    void aCopyOfWhatIsDense() {
        assertEquals(2, standInOf(FLOATS, Unary.COPY));
    }

    /** Otherwise a few elements would keep the whole base of the view in memory. */
    @Test
    void aCopyOfAView() {
        assertEquals(4, standInOf(FLOATS, new AsStrided(Layout.of(Shape.of(2), new long[] {1}, 0)), Unary.COPY));
    }

    /** The input may be a view in memory. */
    @Test
    void aCopyOfAnInput() {
        int copy = sketch.op(Unary.COPY, sketch.input(FLOATS));
        assertEquals(copy, draft().replacements()[copy]);
    }

    @Test
    void aCastToItsOwnDtype() {
        assertEquals(2, standInOf(FLOATS, new Cast(DType.FLOAT32)));
    }

    @Test
    void aCastThereAndBack() {
        assertEquals(2, standInOf(FLOATS, new Cast(DType.FLOAT64), new Cast(DType.FLOAT32)));
    }

    @Test
    void aCastThatLosesSomething() {
        assertEquals(4, standInOf(FLOATS, new Cast(DType.BFLOAT16), new Cast(DType.FLOAT32)));
    }

    /** 2^24 + 1 is no float32. */
    @Test
    void integersThroughFloats() {
        assertEquals(4, standInOf(INTEGERS, new Cast(DType.FLOAT32), new Cast(DType.INT32)));
    }

    @Test
    void integersThroughDoubles() {
        assertEquals(2, standInOf(INTEGERS, new Cast(DType.FLOAT64), new Cast(DType.INT32)));
    }

    @Test
    void aViewOfTheWhole() {
        assertEquals(2, standInOf(FLOATS, new AsStrided(Layout.contiguous(FLOATS.shape()))));
    }

    @Test
    void aViewOfAnotherShape() {
        assertEquals(3, standInOf(FLOATS, new AsStrided(Layout.contiguous(Shape.of(3, 2)))));
    }

    /** The beginning of the gradient of a sum. The number is data, so each run checks that it is 1. */
    @Test
    void aProductWithOnes() {
        int product = timesFill(1);
        Graph graph = sketch.graph();
        RewriteContext context = VerifiedDrafts.draft(graph, new AlgebraicSimplification(), true);
        assertEquals(0, context.replacements()[product]);
        Guard guard = context.assumptions().getFirst();
        assertTrue(guard.holdsFor(graph));
        assertEquals(
                product,
                VerifiedDrafts.draft(graph, new AlgebraicSimplification(), false)
                        .replacements()[product]);
        AlgebraicSimplificationTest other = new AlgebraicSimplificationTest();
        assertEquals(product, other.timesFill(2));
        assertFalse(guard.holdsFor(other.sketch.graph()));
        assertEquals(product, other.draft().replacements()[product]);
    }

    /** An input times a filled and broadcast number. */
    private int timesFill(double number) {
        int input = sketch.input(FLOATS);
        int fill = sketch.op(new Fill(Shape.SCALAR, Scalar.of(DType.FLOAT32, number)));
        int spread = sketch.op(new AsStrided(Layout.of(FLOATS.shape(), new long[] {0, 0}, 0)), fill);
        return sketch.op(Binary.MUL, spread, input);
    }

    /** A product with ones of a larger shape changes the shape. */
    @Test
    void aProductWithOnesThatSpreadsIt() {
        int input = sketch.input(new TensorType(DType.FLOAT32, Shape.of(3)));
        int ones = sketch.op(new Fill(FLOATS.shape(), Scalar.of(DType.FLOAT32, 1)));
        int product = sketch.op(Binary.MUL, input, ones);
        assertEquals(product, draft().replacements()[product]);
    }

    /** The result is lost if the condition is lost. */
    @Test
    void aChoiceBetweenOneAndTheSame() {
        int condition = sketch.input(new TensorType(DType.BOOL, FLOATS.shape()));
        int input = sketch.input(FLOATS);
        int chosen = sketch.op(Ternary.WHERE, condition, input, input);
        assertEquals(chosen, draft().replacements()[chosen]);
    }
}
