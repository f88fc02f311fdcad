package dev.outpost.runtime.plan.rewrite;

import static dev.outpost.runtime.plan.rewrite.VerifiedDrafts.left;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.Sketch;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommonSubexpressionEliminationTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final Scalar HALF = Scalar.of(DType.FLOAT32, 0.5);

    private final Sketch sketch = new Sketch();

    private RewriteContext draft(Rewrite rewrite) {
        return VerifiedDrafts.draft(sketch.graph(), rewrite, true);
    }

    @Test
    void equalInstructionsAreComputedOnce() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, sketch.op(Unary.NEG, input));
        int second = sketch.op(Unary.EXP, sketch.op(Unary.NEG, input));
        RewriteContext context = draft(new CommonSubexpressionElimination());
        assertEquals(first, context.replacements()[second]);
        assertEquals(List.of(0, 1), left(context));
        assertTrue(context.assumptions().isEmpty());
    }

    @Test
    void theOrderOfOperandsIsPartOfIt() {
        int left = sketch.input(FLOATS);
        int right = sketch.input(FLOATS);
        sketch.op(Binary.SUB, left, right);
        sketch.op(Binary.SUB, right, left);
        assertEquals(List.of(0, 1), left(draft(new CommonSubexpressionElimination())));
    }

    /** Numbers are data: another run of the structure may have different numbers, and then the results differ. */
    @Test
    void equalNumbersAreAssumedToStayEqual() {
        Graph graph = timesTwice(0.5, 0.5);
        RewriteContext context = VerifiedDrafts.draft(graph, new CommonSubexpressionElimination(), true);
        assertEquals(List.of(0), left(context));
        Guard guard = context.assumptions().getFirst();
        assertTrue(guard.holdsFor(timesTwice(3, 3)));
        assertFalse(guard.holdsFor(timesTwice(3, 4)));
        assertEquals(List.of(0, 1), left(VerifiedDrafts.draft(graph, new CommonSubexpressionElimination(), false)));
    }

    private static Graph timesTwice(double first, double second) {
        Sketch sketch = new Sketch();
        int input = sketch.input(FLOATS);
        sketch.op(Binary.MUL, input, Scalar.of(DType.FLOAT32, first));
        sketch.op(Binary.MUL, input, Scalar.of(DType.FLOAT32, second));
        return sketch.graph();
    }

    @Test
    void otherNumbersAreAnotherComputation() {
        assertEquals(
                List.of(0, 1),
                left(VerifiedDrafts.draft(timesTwice(0.0, -0.0), new CommonSubexpressionElimination(), true)));
    }

    /** The offset of the view is data, but a view of all elements can have only one offset. */
    @Test
    void aViewOfAllElementsNeedsNoAssumption() {
        int input = sketch.input(FLOATS);
        AsStrided turned = new AsStrided(Layout.of(Shape.of(3, 2), new long[] {1, 3}, 0));
        sketch.op(turned, input);
        sketch.op(turned, input);
        assertEquals(
                List.of(0), left(VerifiedDrafts.draft(sketch.graph(), new CommonSubexpressionElimination(), false)));
    }

    @Test
    void aViewOfSomeElementsMayBeginElsewhereNextTime() {
        int input = sketch.input(FLOATS);
        AsStrided row = new AsStrided(Layout.of(Shape.of(3), new long[] {1}, 3));
        sketch.op(row, input);
        sketch.op(row, input);
        assertEquals(
                1, draft(new CommonSubexpressionElimination()).assumptions().size());
    }

    /** Each instruction names its own line of the program if an index is out of bounds. */
    @Test
    void fallibleInstructionsAreLeftAlone() {
        int input = sketch.input(FLOATS);
        int index = sketch.input(new TensorType(DType.INT64, Shape.of(2)));
        int first = sketch.op(new IndexSelect(0), input, index);
        int second = sketch.op(new IndexSelect(0), input, index);
        int third = sketch.op(Binary.FLOOR_DIV, index, index);
        sketch.drop(first, second, third);
        Graph graph = sketch.graph();
        for (Rewrite rewrite : Rewrite.ALL) {
            assertEquals(List.of(0, 1, 2), left(VerifiedDrafts.draft(graph, rewrite, true)));
        }
    }

    @Test
    void manyZerosAreNotHeldForLater() {
        Fill zeros = new Fill(Shape.of(1 << 20), HALF);
        sketch.op(zeros);
        sketch.op(zeros);
        assertEquals(List.of(0, 1), left(draft(new CommonSubexpressionElimination())));
    }
}
