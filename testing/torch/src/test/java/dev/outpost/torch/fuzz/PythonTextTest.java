package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.EllipsisArgument;
import dev.outpost.torch.Argument.SliceArgument;
import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.FuzzStatement.Forward;
import dev.outpost.torch.fuzz.FuzzStatement.Layer;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.FuzzStatement.Step;
import dev.outpost.torch.fuzz.FuzzStatement.Training;
import dev.outpost.torch.fuzz.FuzzStatement.ZeroGrad;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PythonTextTest {
    private static final Known X = new Known("v0", DType.FLOAT32, Shape.of(2, 3), true, true, "v0", false);

    private static void assertText(String expected, FuzzStatement statement) {
        assertEquals(expected, PythonText.of(statement));
    }

    private static void assertCall(String expected, String op, Draft draft) {
        assertText(expected, draft.call("v1", op, false));
    }

    @Test
    void tensorsHaveTheirElements() {
        assertText(
                "v0 = torch.tensor([[1.5, nan], [-inf, 0.1]], dtype=torch.float64, requires_grad=True)",
                new Literal(
                        "v0",
                        HostTensor.of(new double[] {1.5, Double.NaN, Double.NEGATIVE_INFINITY, 0.1}, 2, 2),
                        true));
        assertText(
                "v0 = torch.tensor([True, False], dtype=torch.bool)",
                new Literal("v0", HostTensor.of(new boolean[] {true, false}, 2), false));
        assertText("v0 = torch.tensor(7, dtype=torch.int64)", new Literal("v0", HostTensor.scalar(7L), false));
        assertText(
                "v0 = torch.empty([2, 0], dtype=torch.float32, requires_grad=True)",
                new Literal("v0", HostTensor.of(new float[0], 2, 0), true));
    }

    @Test
    void callsAreMethodsOrFunctions() {
        assertCall("v1 = v0.add(2, alpha=0.5)", "add", Draft.of(X, 2).with("alpha", 0.5));
        assertCall("v1 = torch.cat([v0, v0], -1)", "cat", Draft.of(List.of(X, X), -1));
        assertCall("v1 = F.relu(v0)", "nn.functional.relu", Draft.of(X));
        assertCall("v1 = torch.special.entr(v0)", "special.entr", Draft.of(X));
        assertCall(
                "v1 = v0.sum([0], keepdim=True, dtype=torch.float64)",
                "sum",
                Draft.of(X, new int[] {0}).with("keepdim", true).with("dtype", DType.FLOAT64));
        assertCall("v1 = v0.mT", "mT", Draft.of(X));
        assertCall("v1 = torch.tensor(v0.equal(v0))", "equal", Draft.of(X, X));
        assertCall("v0.mul_(v0)", "mul_", Draft.of(X, X));
        assertText("with torch.no_grad(): v0.zero_()", Draft.of(X).call("v1", "zero_", true));
    }

    @Test
    void slicesAndIndicesStandInBrackets() {
        assertCall("v1 = v0[:, 1:3:2]", "slice", Draft.of(X, 1, 1, 3, 2));
        assertCall("v1 = v0[..., 0:2:1, :]", "slice", Draft.of(X, -2, 0, 2, 1));
        List<Argument> steps = List.of(
                new SliceArgument(OptionalLong.of(1), OptionalLong.empty(), OptionalLong.empty()),
                new EllipsisArgument(),
                Draft.argument(X));
        assertCall("v1 = v0[1:, ..., v0]", "__getitem__", Draft.of(X, steps));
        assertCall("v0[None] = 5", "__setitem__", Draft.of(X, null, 5));
    }

    @Test
    void trainingIsWrittenOut() {
        assertText("v0.backward()", new Backward("v0", Optional.empty(), false));
        assertText("v0.backward(v1, retain_graph=True)", new Backward("v0", Optional.of("v1"), true));
        assertText(
                "m0 = torch.nn.Linear(1, 1).eval(); m0.load_state_dict({'weight': torch.tensor([[2.0]], dtype=torch.float32)})",
                new Layer(
                        "m0",
                        LayerKind.LINEAR,
                        List.of(1L, 1L),
                        Map.of("weight", HostTensor.of(new float[] {2}, 1, 1)),
                        false));
        assertText("v2 = m0(v1)", new Forward("v2", "m0", "v1"));
        assertText(
                "o0 = torch.optim.SGD([*m0.parameters(), v1], lr=0.5)",
                new Training("o0", OptimizerKind.SGD, Map.of("lr", Draft.argument(0.5)), List.of("m0"), List.of("v1")));
        assertText("o0.step()", new Step("o0"));
        assertText("o0.zero_grad()", new ZeroGrad("o0"));
    }
}
