package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each cause explains only the differences for which it exists. */
@Tag("quick")
class CausesTest {
    private static final HostTensor NOTHING = HostTensor.of(new float[0], 0);

    private static HostTensor floats(double... values) {
        return HostTensor.of(values, values.length).to(DType.FLOAT32);
    }

    private static FuzzStatement call(String op, Object... arguments) {
        return Draft.of(arguments).call("out", op, false);
    }

    private static Known named(String name) {
        return new Known(name, DType.FLOAT32, Shape.of(1), false, true, name, false);
    }

    private static StatementOutcome answer(HostTensor value) {
        return new Computed(Map.of("out", Optional.of(new Seen(value, false))));
    }

    private static Difference values(
            FuzzStatement statement, Map<String, HostTensor> operands, HostTensor ours, HostTensor theirs) {
        return new Difference(statement, Kind.VALUE, "out", "", answer(ours), answer(theirs), operands);
    }

    private static Difference refused(FuzzStatement statement, String words, Map<String, HostTensor> operands) {
        return new Difference(
                statement, Kind.ONLY_OUTPOST_REFUSES, "", "", new Refused(words), answer(NOTHING), operands);
    }

    @Test
    void aMarginBeyondTheExponentialOverflows() {
        FuzzStatement loss = call("nn.functional.soft_margin_loss", named("x"), named("y"));
        double infinity = Double.POSITIVE_INFINITY;
        Map<String, HostTensor> far = Map.of("x", floats(-50), "y", floats(4));
        assertTrue(Causes.isOverflowOfSoftMargin(values(loss, far, floats(200), floats(infinity))));
        assertFalse(Causes.isOverflowOfSoftMargin(values(loss, far, floats(200, 1), floats(infinity, 2))));
        Map<String, HostTensor> near = Map.of("x", floats(-5), "y", floats(4));
        assertFalse(Causes.isOverflowOfSoftMargin(values(loss, near, floats(20), floats(infinity))));
    }

    @Test
    void aNumberMayNotFitWhereNothingIsWritten() {
        FuzzStatement scatter = call("scatter", named("x"), 0, named("index"), 0.5);
        String words = "scatter: 0.5 does not fit uint8, which holds 0 to 255";
        assertTrue(Causes.isNumberWrittenNowhere(refused(scatter, words, Map.of("x", NOTHING, "index", NOTHING))));
        assertFalse(Causes.isNumberWrittenNowhere(refused(scatter, words, Map.of("x", NOTHING, "index", floats(0)))));
        assertFalse(Causes.isNumberWrittenNowhere(refused(scatter, "other", Map.of("x", NOTHING, "index", NOTHING))));
    }

    @Test
    void theLossOfNoClassesIsNotANumber() {
        FuzzStatement loss = call("nn.functional.cross_entropy", named("x"), named("y"));
        HostTensor none = HostTensor.of(new float[0], 0, 0);
        HostTensor one = HostTensor.of(new float[0], 0, 1);
        HostTensor nan = floats(Double.NaN);
        assertTrue(Causes.isLossOfNoClasses(values(loss, Map.of("x", none, "y", NOTHING), floats(0), nan)));
        assertFalse(Causes.isLossOfNoClasses(values(loss, Map.of("x", one, "y", NOTHING), floats(0), nan)));
        assertFalse(Causes.isLossOfNoClasses(values(loss, Map.of("x", none, "y", NOTHING), floats(1), floats(0))));
    }

    @Test
    void aSumIsWrittenIntoWhatItIsReadFrom() {
        FuzzStatement scatter = call("scatter_add_", named("x"), 0, named("index"), named("part"));
        HostTensor index = HostTensor.of(new long[] {0}, 1);
        Map<String, HostTensor> view = Map.of("x", floats(1, 2), "index", index, "part", floats(2));
        assertTrue(Causes.isScatterOfOneself(values(scatter, view, floats(3, 2), floats(4, 2))));
        Map<String, HostTensor> other = Map.of("x", floats(1, 2), "index", index, "part", floats(5));
        assertFalse(Causes.isScatterOfOneself(values(scatter, other, floats(6, 2), floats(7, 2))));
    }

    @Test
    void anIndexOfNothingHasAnyShape() {
        FuzzStatement gather = call("gather", named("x"), 0, named("index"));
        String words = "gather: the index must not be larger than the input outside dimension 0, got [1, 0] and [1]";
        assertTrue(Causes.isIndexOfNothing(refused(gather, words, Map.of("x", floats(1), "index", NOTHING))));
        assertFalse(Causes.isIndexOfNothing(refused(gather, words, Map.of("x", NOTHING, "index", floats(1)))));
        assertFalse(Causes.isIndexOfNothing(refused(gather, "other", Map.of("x", floats(1), "index", NOTHING))));
    }

    @Test
    void noDifferencesAreTakenAlongAnyDimension() {
        String words = "diff: dimension out of range, expected -2 to 1, got 2";
        assertTrue(Causes.isDifferenceOfOrderZero(refused(call("diff", named("x"), 0, 2), words, Map.of())));
        assertFalse(Causes.isDifferenceOfOrderZero(refused(call("diff", named("x"), 1, 2), words, Map.of())));
    }

    @Test
    void nothingHasAnyDimension() {
        String words = "cummin: dimension out of range, expected -2 to 1, got 2";
        FuzzStatement cummin = call("cummin", named("x"), 2);
        assertTrue(Causes.isDimensionOfNothing(refused(cummin, words, Map.of("x", NOTHING))));
        assertFalse(Causes.isDimensionOfNothing(refused(cummin, words, Map.of("x", floats(1)))));
    }

    @Test
    void nothingHasAnyDType() {
        String words = "trapezoid: not defined for bool, got bool[1, 0]";
        FuzzStatement trapezoid = call("trapezoid", named("x"));
        assertTrue(Causes.isDTypeOfNothing(refused(trapezoid, words, Map.of("x", NOTHING))));
        assertFalse(Causes.isDTypeOfNothing(refused(trapezoid, words, Map.of("x", floats(1)))));
    }
}
