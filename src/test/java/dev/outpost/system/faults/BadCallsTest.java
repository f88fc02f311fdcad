package dev.outpost.system.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.provider.UnknownGpuException;
import dev.outpost.provider.UnknownProviderException;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A wrong call is refused at once, with the op's name first and with both values, and the machine keeps working. */
@Tag("quick")
class BadCallsTest {
    private static RemoteMachine machine;
    private static RemoteMachine other;

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100");
        other = RemoteMachine.of("mock", "T4");
    }

    @AfterAll
    static void close() {
        machine.close();
        other.close();
    }

    @AfterEach
    void theMachineGoesOnWorking() {
        assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
    }

    private static void refuses(String message, Executable call) {
        OutpostException refusal = assertThrows(OutpostException.class, call);
        assertEquals(message, refusal.getMessage());
        assertEquals(FaultKind.USER, refusal.kind());
    }

    @Test
    void mismatchedShapesAreRefused() {
        refuses(
                "add: shapes do not broadcast, got [2, 3] and [4]",
                () -> machine.ones(2, 3).add(machine.ones(4)));
        refuses(
                "matmul: inner dimensions differ, got [2, 3] and [4, 5]",
                () -> machine.ones(2, 3).matmul(machine.ones(4, 5)));
        refuses(
                "cat: sizes must match except in dimension 0, got [2, 3] and [2, 4]",
                () -> Tensors.cat(List.of(machine.ones(2, 3), machine.ones(2, 4)), 0));
    }

    @Test
    void wrongDtypesAreRefused() {
        refuses(
                "matmul: dtypes differ, got float32 and int64; cast the int64 one with to(DType.FLOAT32)",
                () -> machine.ones(2, 3).matmul(machine.ones(DType.INT64, 3, 2)));
        refuses(
                "gather: the index must be int64, got float32; cast with to(DType.INT64)",
                () -> machine.ones(2, 3).gather(0, machine.ones(2, 3)));
        assertThrows(OutpostException.class, () -> machine.ones(DType.BOOL, 2).neg());
    }

    @Test
    void dimensionsOutOfRangeAreRefused() {
        refuses(
                "sum: dimension out of range, expected -2 to 1, got 2",
                () -> machine.ones(2, 3).sum(2));
        refuses(
                "transpose: dimension out of range, expected -2 to 1, got -3",
                () -> machine.ones(2, 3).transpose(0, -3));
    }

    @Test
    void impossibleViewsAreRefused() {
        OutpostException needsCopy = assertThrows(
                OutpostException.class, () -> machine.ones(2, 3).t().view(6));
        assertTrue(needsCopy.getMessage().startsWith("view: "), needsCopy.getMessage());
        OutpostException wrongSize =
                assertThrows(OutpostException.class, () -> machine.ones(2, 3).view(4, 2));
        assertTrue(wrongSize.getMessage().contains("[2, 3]"), wrongSize.getMessage());
        assertTrue(wrongSize.getMessage().contains("[4, 2]"), wrongSize.getMessage());
    }

    @Test
    void tensorsOfTwoMachinesAreRefused() {
        refuses(
                "add: tensors of two machines cannot be mixed, got " + machine.name() + " and " + other.name()
                        + "; bring one over with"
                        + " toHost().to(machine), and a module with module.to(machine)",
                () -> machine.ones(2).add(other.ones(2)));
        assertEquals(3.0, machine.ones(1).add(2).itemDouble());
    }

    @Test
    void closedTensorsAndMachinesAreRefused() {
        Tensor closed = machine.ones(2);
        closed.close();
        closed.close();
        refuses(
                "add: the tensor float32[2] was closed by close(): close it behind its last use, or use another handle, as"
                        + " detach() makes",
                () -> closed.add(1));
        assertEquals("float32[2] (closed)", closed.toString());
        RemoteMachine gone = RemoteMachine.of("mock", "A100");
        Tensor orphan = gone.ones(2);
        gone.close();
        gone.close();
        String isClosed = gone.name() + ": the machine is closed";
        refuses(isClosed, () -> gone.ones(2));
        refuses(isClosed, () -> orphan.add(1));
        refuses(isClosed, orphan::toFloatArray);
    }

    @Test
    void tensorOfAClosedScopeIsRefused() {
        Tensor taken;
        try (var scope = machine.scope()) {
            taken = machine.ones(2);
        }
        refuses(
                "add: the tensor float32[2] was closed with its scope: scope.keep(tensor) lets it live in the scope around"
                        + " it, or on its own where there is none",
                () -> taken.add(1));
    }

    @Test
    void impossibleBackwardIsRefused() {
        Tensor x = machine.ones(2, 3).requiresGrad(true);
        Tensor y = x.mul(x);
        refuses(
                "backward: only a scalar needs no gradient to start from, got [2, 3]; reduce it, as with sum(), or give a"
                        + " gradient of that shape",
                y::backward);
        refuses(
                "backward: the gradient must have the output's shape, got [3] and [2, 3]",
                () -> y.backward(machine.ones(3)));
        Tensor loss = y.sum();
        loss.backward();
        refuses(
                "backward: what mul saved was freed by an earlier backward; call that one with retainGraph",
                () -> y.sum().backward());
        refuses(
                "backward: the tensor does not require gradients, got float32[2]; call requiresGrad(true) on what it is"
                        + " computed from, outside of noGrad",
                () -> machine.ones(2).backward());
        refuses(
                "requires_grad: only floating tensors can require gradients, got int64[2]",
                () -> machine.ones(DType.INT64, 2).requiresGrad(true));
    }

    @Test
    void retainedGraphAllowsASecondBackward() {
        Tensor x = machine.full(3, DType.FLOAT32).requiresGrad(true);
        Tensor y = x.mul(x);
        y.backward(null, true);
        y.backward();
        assertEquals(12.0, x.grad().itemDouble());
    }

    @Test
    void impossibleMachinesAreRefused() {
        UnknownGpuException gpu = assertThrows(UnknownGpuException.class, () -> RemoteMachine.of("mock", "A1000"));
        assertTrue(gpu.getMessage().contains("did you mean A100?"), gpu.getMessage());
        UnknownProviderException provider =
                assertThrows(UnknownProviderException.class, () -> RemoteMachine.of("mok", "A100"));
        assertTrue(provider.getMessage().contains("mock"), provider.getMessage());
        IllegalArgumentException count =
                assertThrows(IllegalArgumentException.class, () -> RemoteMachine.of("mock", "A100", 0));
        assertEquals("gpuCount: expected 1 or more, got 0", count.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> RemoteMachine.of("mock", "A100", new MachineOptions().option("colour", "blue")));
    }

    @Test
    void moreElementsThanALongCanCount() {
        OutpostException overflow = assertThrows(OutpostException.class, () -> machine.zeros(1L << 32, 1L << 32));
        assertTrue(overflow.getMessage().contains("overflows"), overflow.getMessage());
    }
}
