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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ops by PyTorch's names, with its keywords, defaults and overloads. */
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
        return Ops.call(machine, name, args, kwargs).getFirst().toFloatArray();
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
