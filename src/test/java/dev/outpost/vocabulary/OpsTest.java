package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Index;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests ops by PyTorch's names, with its keywords, defaults and overloads. */
class OpsTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void close() {
        machine.close();
    }

    private static float[] call(String name, List<?> args, Map<String, ?> kwargs) {
        return Ops.call(machine, name, args, kwargs).getFirst().float32().toFloatArray();
    }

    private static Tensor vector(float... elements) {
        return machine.tensor(elements);
    }

    @Test
    void argumentsAreGivenByPlaceOrByName() {
        Tensor x = vector(-1, 0.5f, 2);
        assertArrayEquals(new float[] {0, 0.5f, 1}, call("clamp", List.of(x, 0, 1), Map.of()));
        assertArrayEquals(new float[] {0, 0.5f, 2}, call("clamp", List.of(x), Map.of("min", 0)));
        assertArrayEquals(new float[] {-1, 0.5f, 1}, call("clamp", List.of(), Map.of("input", x, "max", 1)));
    }

    @Test
    void overloadsAreChosenByTypes() {
        Tensor x = vector(1, 2);
        assertArrayEquals(new float[] {3, 4}, call("add", List.of(x, 2), Map.of()));
        assertArrayEquals(new float[] {3, 6}, call("add", List.of(x, x), Map.of("alpha", 2)));
        assertArrayEquals(new float[] {2}, call("max", List.of(x), Map.of()));
        assertArrayEquals(
                new float[] {2, 2},
                call("max", List.of(x, vector(0, 2).add(2).sub(2).clampMin(2)), Map.of()));
        assertEquals(2, Ops.call("max", List.of(x), Map.of("dim", 0)).size());
    }

    /** unbiased is the second parameter of one overload, and the dimensions are that of another. */
    @Test
    void placesAreThoseOfTheOverloadThatTakesTheArguments() {
        Tensor x = machine.tensor(new float[] {1, 2, 3, 5}, 2, 2);
        assertArrayEquals(new float[] {2, 4.5f}, call("var", List.of(x, List.of(0)), Map.of("keepdim", false)), 1e-6f);
        assertArrayEquals(new float[] {1, 2.25f}, call("var", List.of(x, 0, false), Map.of()), 1e-6f);
        assertArrayEquals(new float[] {2.1875f}, call("var", List.of(x, false), Map.of()), 1e-6f);
    }

    @Test
    void defaultsArePyTorchs() {
        Tensor x = vector(1, 2, 3);
        assertEquals(1, call("std", List.of(x), Map.of())[0], 1e-6);
        assertEquals(Math.sqrt(2 / 3.0), call("std", List.of(x), Map.of("unbiased", false))[0], 1e-6);
    }

    @Test
    void anExplicitNoneIsTheDefaultWherePyTorchTakesIt() {
        Tensor row = machine.tensor(new float[] {3, 4}, 1, 2);
        assertArrayEquals(
                new float[] {0.6f, 0.8f},
                call("nn.functional.normalize", List.of(row), Collections.singletonMap("p", null)),
                1e-6f);
        assertArrayEquals(
                new float[] {0, 1},
                call("nan_to_num", List.of(vector(Float.NaN, 1)), Collections.singletonMap("nan", null)));
        assertThrows(
                UnsupportedFormException.class,
                () -> call("nn.functional.leaky_relu", List.of(row), Collections.singletonMap("negative_slope", null)));
    }

    /** A form of an op is a typed method with one of the op's signatures; the arguments choose it. */
    @Test
    void argumentsChooseTheFormOfADerivedRow() {
        Tensor x = machine.tensor(new float[] {1, 5, 3, 4, 2, 6}, 2, 3);
        assertArrayEquals(new float[] {5}, call("argmax", List.of(x), Map.of()));
        assertArrayEquals(new float[] {1, 2}, call("argmax", List.of(x), Map.of("dim", 1)));
        assertArrayEquals(new float[] {5, 6}, call("amax", List.of(x, 1), Map.of()));
        assertArrayEquals(new float[] {6}, call("amax", List.of(x), Map.of()));
        assertArrayEquals(
                new float[] {0, 2, 1}, call("div", List.of(vector(1, 5, 3), 2), Map.of("rounding_mode", "floor")));
        assertArrayEquals(
                new float[] {0.5f, 2.5f, 1.5f},
                call("div", List.of(vector(1, 5, 3), 2), Collections.singletonMap("rounding_mode", null)));
        assertArrayEquals(new float[] {1, 4, 5, 2, 3, 6}, call("permute", List.of(x, 1, 0), Map.of()));
        assertEquals(
                Shape.of(3, 2),
                Ops.call("view", List.of(x, 3, 2), Map.of()).getFirst().shape());
        assertEquals(
                Shape.of(3, 2),
                Ops.call("view", List.of(x, List.of(3, 2)), Map.of()).getFirst().shape());
    }

    /** No typed method without a dimension has these parameters. */
    @Test
    void anExplicitDefaultIsAMissingArgument() {
        Tensor x = vector(1, 5, 3);
        assertArrayEquals(new float[] {1}, call("argmax", List.of(x), Map.of("keepdim", false)));
        assertArrayEquals(new float[] {1}, call("argmax", Arrays.asList(x, null, false), Map.of()));
        assertArrayEquals(new float[] {3, 7, 5}, call("add_", List.of(vector(1, 5, 3), 2), Map.of("alpha", 1)));
        assertThrows(UnsupportedFormException.class, () -> call("argmax", List.of(x), Map.of("keepdim", true)));
        assertArrayEquals(
                new float[] {9},
                call(
                        "nn.functional.mse_loss",
                        List.of(x, vector(0, 0, 2)),
                        Collections.singletonMap("reduction", null)),
                1e-6f);
    }

    @Test
    void aRefusedCallWritesNothing() {
        Tensor x = vector(1, 5, 3);
        assertThrows(UnsupportedFormException.class, () -> call("add_", List.of(x, 2), Map.of("alpha", 3)));
        assertArrayEquals(new float[] {1, 5, 3}, x.toFloatArray());
    }

    @Test
    void aProductOfAllElementsHasADType() {
        Tensor product = Ops.call("prod", List.of(vector(2, 5, 3)), Map.of("dtype", DType.FLOAT64))
                .getFirst();
        assertEquals(DType.FLOAT64, product.dtype());
        assertArrayEquals(new float[] {30}, product.float32().toFloatArray());
    }

    /** The orders of the parameters differ in PyTorch and in Java. */
    @Test
    void aTypedRowHasTheOrderOfItsMethod() {
        Tensor x = vector(1, 5, 3);
        Tensor mask = x.lt(4);
        assertArrayEquals(new float[] {4}, call("masked.sum", List.of(x, 0), Map.of("mask", mask)));
        assertArrayEquals(new float[] {2}, call("masked.argmax", List.of(x), Map.of("mask", mask)));
        assertArrayEquals(
                new float[] {0, 2.5f, 0.5f},
                call("nn.functional.smooth_l1_loss", List.of(x, vector(1, 2, 2)), Map.of("reduction", "none")));
        ArgumentTypeException refusal = assertThrows(
                ArgumentTypeException.class,
                () -> call("nn.functional.mse_loss", List.of(x, x), Map.of("reduction", "all")));
        assertEquals(
                "nn.functional.mse_loss: reduction must be one of [batchmean, mean, none, sum], got all",
                refusal.getMessage());
    }

    @Test
    void resultsOfDerivedRowsAreTheTensorsOfTheirRecords() {
        List<Tensor> largest = Ops.call("topk", List.of(vector(1, 5, 3), 2), Map.of());
        assertArrayEquals(new float[] {5, 3}, largest.getFirst().toFloatArray());
        assertArrayEquals(new float[] {1, 2}, largest.get(1).float32().toFloatArray());
        assertEquals(
                2,
                Ops.call("unique", List.of(vector(1, 1, 2)), Map.of("return_counts", true))
                        .size());
        assertEquals(
                2, Ops.call("chunk", List.of(vector(1, 2, 3, 4), 2), Map.of()).size());
        assertArrayEquals(new float[] {1}, call("equal", List.of(vector(1), vector(1)), Map.of()));
        assertArrayEquals(new float[] {2, 0}, call("complex", List.of(vector(2), vector(0)), Map.of()));
    }

    @Test
    void anExplicitNoneForAFlagIsItsDefault() {
        Tensor upper = machine.tensor(new float[] {1, 2, 0, 1}, 2, 2);
        Tensor right = machine.tensor(new float[] {1, 0, 0, 0}, 2, 2);
        Map<String, Boolean> flags = new HashMap<>(Map.of("upper", true));
        flags.put("left", null);
        assertArrayEquals(
                new float[] {1, 0, 0, 0}, call("linalg.solve_triangular", List.of(upper, right), flags), 1e-6f);
    }

    @Test
    void tensorsAreMadeOnTheMachineThatIsNamed() {
        Tensor ones = Ops.call(machine, "ones", List.of(2, 3), Map.of("dtype", DType.INT64))
                .getFirst();
        assertEquals(DType.INT64, ones.dtype());
        assertEquals(6, ones.numel());
        assertEquals(
                "zeros: no argument is a tensor, so the call has to name the machine",
                assertThrows(OpException.class, () -> Ops.call("zeros", List.of(2), Map.of()))
                        .getMessage());
    }

    @Test
    void aliasesAndThePackageAreKnown() {
        Tensor x = vector(1, 2);
        assertArrayEquals(new float[] {2, 4}, call("torch.multiply", List.of(x, 2), Map.of()));
        Aliases.all().forEach((alias, name) -> assertTrue(Ops.knows(alias), alias + " is " + name));
    }

    @Test
    void indicesAreArguments() {
        Tensor x = vector(1, 2, 3);
        assertArrayEquals(new float[] {2, 3}, call("__getitem__", List.of(x, Index.from(1)), Map.of()));
    }

    @Test
    void writesInPlace() {
        Tensor x = vector(1, 2);
        assertTrue(Ops.call("mul_", List.of(x, 3), Map.of()).getFirst() == x);
        assertArrayEquals(new float[] {3, 6}, x.toFloatArray());
    }

    @Test
    void outIsRefusedEverywhere() {
        Tensor x = vector(1, 2);
        for (String name : Ops.names()) {
            OpException refusal = assertThrows(OpException.class, () -> Ops.call(name, List.of(x), Map.of("out", x)));
            assertEquals(
                    name + ": there is no out= here: use the result, or write it into a tensor by copy_",
                    refusal.getMessage());
        }
    }

    @Test
    void everySignatureHasARow() {
        assertEquals(Ops.names(), Signatures.readAll().keySet());
    }

    @Test
    void unknownNamesAreRefused() {
        OpException refusal =
                assertThrows(OpException.class, () -> Ops.call("no_such_op", List.of(vector(1)), Map.of()));
        assertEquals("no_such_op: there is no op of this name", refusal.getMessage());
    }
}
