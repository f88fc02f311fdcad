package dev.outpost.runtime.plan.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.DType;
import dev.outpost.protocol.types.Layout;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.Shape;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.plan.Sketch;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RewriteTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(2, 3));
    private static final TensorType INTEGERS = new TensorType(DType.INT32, Shape.of(2, 3));
    private static final Scalar HALF = Scalar.of(DType.FLOAT32, 0.5);

    private final Sketch sketch = new Sketch();

    private Draft draft(Rewrite rewrite) {
        return draft(sketch.graph(), rewrite, true);
    }

    private static Draft draft(Graph graph, Rewrite rewrite, boolean mayAssume) {
        Draft draft = Draft.of(graph, List.of(rewrite), mayAssume);
        GraphVerifier.verify(graph, draft, rewrite.getClass().getSimpleName());
        return draft;
    }

    private static List<Integer> left(Draft draft) {
        return draft.graph().instructions().stream().map(Instruction::index).toList();
    }

    // ---- identities

    /** Each is recorded over {@code exp(x)}, so that it has a maker. */
    private int standInOf(TensorType type, Op... ops) {
        int input = sketch.input(type);
        int last = sketch.op(new Cast(DType.BOOL), input);
        last = sketch.op(new Cast(type.dtype()), last);
        for (Op op : ops) {
            last = op instanceof Binary ? sketch.op(op, last, last) : sketch.op(op, last);
        }
        return draft(new Identities()).standIns()[last];
    }

    @Test
    void whatUndoesItself() {
        assertEquals(2, standInOf(FLOATS, Unary.NEG, Unary.NEG));
    }

    @Test
    void whatUndoesItselfFourTimes() {
        assertEquals(2, standInOf(INTEGERS, Unary.NOT, Unary.NOT, Unary.NOT, Unary.NOT));
    }

    @Test
    void whatChangesNothingTheSecondTime() {
        assertEquals(3, standInOf(FLOATS, Unary.RELU, Unary.RELU, Unary.RELU));
    }

    @Test
    void theLargerOfOneAndTheSame() {
        assertEquals(2, standInOf(FLOATS, Binary.MAXIMUM));
    }

    @Test
    void whatIsAddedToItselfIsAnother() {
        assertEquals(3, standInOf(FLOATS, Binary.ADD));
    }

    @Test
    void aCopyOfWhatIsDense() {
        assertEquals(2, standInOf(FLOATS, Unary.COPY));
    }

    /** Otherwise a few elements would hold on to all that they were taken from. */
    @Test
    void aCopyOfAView() {
        assertEquals(4, standInOf(FLOATS, new AsStrided(Layout.of(Shape.of(2), new long[] {1}, 0)), Unary.COPY));
    }

    /** It may be a view in memory. */
    @Test
    void aCopyOfAnInput() {
        int copy = sketch.op(Unary.COPY, sketch.input(FLOATS));
        assertEquals(copy, draft(new Identities()).standIns()[copy]);
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

    /** It is lost when the condition is. */
    @Test
    void aChoiceBetweenOneAndTheSame() {
        int condition = sketch.input(new TensorType(DType.BOOL, FLOATS.shape()));
        int input = sketch.input(FLOATS);
        int chosen = sketch.op(Ternary.WHERE, condition, input, input);
        assertEquals(chosen, draft(new Identities()).standIns()[chosen]);
    }

    // ---- common subexpressions

    @Test
    void whatIsComputedTwiceIsComputedOnce() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, sketch.op(Unary.NEG, input));
        int second = sketch.op(Unary.EXP, sketch.op(Unary.NEG, input));
        Draft draft = draft(new CommonSubexpressions());
        assertEquals(first, draft.standIns()[second]);
        assertEquals(List.of(0, 1), left(draft));
        assertTrue(draft.assumptions().isEmpty());
    }

    @Test
    void theOrderOfOperandsIsPartOfIt() {
        int left = sketch.input(FLOATS);
        int right = sketch.input(FLOATS);
        sketch.op(Binary.SUB, left, right);
        sketch.op(Binary.SUB, right, left);
        assertEquals(List.of(0, 1), left(draft(new CommonSubexpressions())));
    }

    /** Numbers are data: another run of the structure may have others, and then they are two. */
    @Test
    void equalNumbersAreAssumedToStayEqual() {
        Graph graph = timesTwice(0.5, 0.5);
        Draft draft = draft(graph, new CommonSubexpressions(), true);
        assertEquals(List.of(0), left(draft));
        Assumption assumption = draft.assumptions().getFirst();
        assertTrue(assumption.holdsFor(timesTwice(3, 3)));
        assertFalse(assumption.holdsFor(timesTwice(3, 4)));
        assertEquals(List.of(0, 1), left(draft(graph, new CommonSubexpressions(), false)));
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
        assertEquals(List.of(0, 1), left(draft(timesTwice(0.0, -0.0), new CommonSubexpressions(), true)));
    }

    /** Where the view begins is data, but from the first element to the last there is one place only. */
    @Test
    void aViewOfAllElementsNeedsNoAssumption() {
        int input = sketch.input(FLOATS);
        AsStrided turned = new AsStrided(Layout.of(Shape.of(3, 2), new long[] {1, 3}, 0));
        sketch.op(turned, input);
        sketch.op(turned, input);
        assertEquals(List.of(0), left(draft(sketch.graph(), new CommonSubexpressions(), false)));
    }

    @Test
    void aViewOfSomeElementsMayBeginElsewhereNextTime() {
        int input = sketch.input(FLOATS);
        AsStrided row = new AsStrided(Layout.of(Shape.of(3), new long[] {1}, 3));
        sketch.op(row, input);
        sketch.op(row, input);
        assertEquals(1, draft(new CommonSubexpressions()).assumptions().size());
    }

    /** Each names its own line of the program when an index is out of bounds. */
    @Test
    void whatMayRefuseItsOperandsIsLeftAlone() {
        int input = sketch.input(FLOATS);
        int index = sketch.input(new TensorType(DType.INT64, Shape.of(2)));
        int first = sketch.op(new IndexSelect(0), input, index);
        int second = sketch.op(new IndexSelect(0), input, index);
        int third = sketch.op(Binary.FLOOR_DIV, index, index);
        sketch.drop(first, second, third);
        Graph graph = sketch.graph();
        for (Rewrite rewrite : Rewrite.ALL) {
            assertEquals(List.of(0, 1, 2), left(draft(graph, rewrite, true)));
        }
    }

    @Test
    void manyZerosAreNotHeldForLater() {
        Fill zeros = new Fill(Shape.of(1 << 20), HALF);
        sketch.op(zeros);
        sketch.op(zeros);
        assertEquals(List.of(0, 1), left(draft(new CommonSubexpressions())));
    }

    // ---- dead values

    @Test
    void whatNobodyNeedsGoesWithWhatOnlyItNeeded() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        int second = sketch.op(Unary.NEG, first);
        sketch.op(Unary.SQRT, input);
        sketch.drop(first, second);
        assertEquals(List.of(2), left(draft(new DeadValues())));
    }

    @Test
    void whatSomebodyKeepsStays() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        sketch.op(Unary.NEG, first);
        sketch.drop(first);
        assertEquals(List.of(0, 1), left(draft(new DeadValues())));
    }

    /** The kept one is another's: that one is needed. */
    @Test
    void whatStandsForAKeptValueStays() {
        int input = sketch.input(FLOATS);
        int first = sketch.op(Unary.EXP, input);
        int second = sketch.op(Unary.EXP, input);
        sketch.drop(first);
        Graph graph = sketch.graph();
        Draft draft = Draft.of(graph, Rewrite.ALL, true);
        GraphVerifier.verify(graph, draft, "all");
        assertEquals(List.of(0), left(draft));
        assertEquals(first, draft.standIns()[second]);
    }

    // ---- whatever is recorded

    @Test
    void afterEachOfThemTheGraphIsSound() {
        for (int seed = 0; seed < 300; seed++) {
            Graph graph = random(new Random(seed));
            for (int count = 1; count <= Rewrite.ALL.size(); count++) {
                List<Rewrite> first = Rewrite.ALL.subList(0, count);
                for (boolean mayAssume : new boolean[] {true, false}) {
                    String where = "seed " + seed + ", after " + first.getLast().getClass().getSimpleName();
                    GraphVerifier.verify(graph, Draft.of(graph, first, mayAssume), where);
                }
            }
        }
    }

    /** Integers of one shape, so that everything goes with everything, and much of it is the same or undone at once. */
    private static Graph random(Random random) {
        List<Op> unaries = List.of(
                Unary.NEG,
                Unary.NOT,
                Unary.RELU,
                Unary.COPY,
                new Cast(DType.INT32),
                new AsStrided(Layout.contiguous(INTEGERS.shape())));
        List<Op> binaries = List.of(Binary.ADD, Binary.MAXIMUM, Binary.AND, Binary.FLOOR_DIV);
        Sketch sketch = new Sketch();
        sketch.input(INTEGERS);
        int last = sketch.dyingInput(INTEGERS);
        for (int count = 0; count < 60; count++) {
            int value = Math.max(0, last - random.nextInt(5));
            int other = Math.max(0, last - random.nextInt(5));
            last = switch (random.nextInt(5)) {
                case 0 -> sketch.op(binaries.get(random.nextInt(binaries.size())), value, other);
                case 1 -> sketch.op(Binary.ADD, value, Scalar.of(DType.INT32, random.nextInt(2)));
                default -> sketch.op(unaries.get(random.nextInt(unaries.size())), value);
            };
            if (random.nextInt(3) > 0) {
                sketch.drop(last);
            }
        }
        return sketch.graph();
    }
}
