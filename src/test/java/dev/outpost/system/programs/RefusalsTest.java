package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call that cannot be traced is refused by the op's name, with the line. */
@Tag("quick")
class RefusalsTest {
    private static final String DEPENDS = ": a program has no values while it is traced, so it cannot depend on them";

    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private String refusal(UnaryOperator<Tensor> function) {
        Program program = machine.program(in -> List.of(function.apply(in.getFirst())));
        Tensor input = machine.tensor(new float[] {1, 0, 2});
        String message =
                assertThrows(OutpostException.class, () -> program.call(input)).getMessage();
        assertEquals(0, program.traces());
        assertEquals(3, input.sum().itemDouble());
        return message;
    }

    private void assertDepends(String op, UnaryOperator<Tensor> function) {
        String message = refusal(function);
        assertTrue(message.startsWith(op + DEPENDS + " (RefusalsTest.java:"), message);
    }

    @Test
    void aValueThatIsRead() {
        assertDepends("item", x -> x.mul(x.sum().item().hashCode()));
        assertDepends("item_double", x -> x.mul(x.sum().itemDouble()));
        assertDepends("to_float_array", x -> x.mul(x.toFloatArray()[0]));
        assertDepends("fetch", x -> x.mul(x.fetch().hashCode()));
        assertDepends("to_host", x -> x.mul(x.toHost().hashCode()));
    }

    @Test
    void aShapeThatDependsOnData() {
        assertDepends("nonzero", Tensor::nonzero);
        assertDepends("masked_select", x -> x.maskedSelect(x.gt(0)));
        assertDepends("unique", x -> x.unique());
        assertDepends("bincount", x -> x.int64().bincount());
    }

    @Test
    void gradientsThatFlowOutOfAProgram() {
        Tensor weight = machine.tensor(new float[] {1, 2, 3}).requiresGrad(true);
        Tensor outside = weight.mul(2);
        String backward = refusal(x -> {
            Tensor loss = outside.mul(x).sum();
            loss.backward();
            return loss;
        });
        assertTrue(
                backward.startsWith("backward: gradients do not flow out of a program, got to mul [3], which was"
                        + " computed outside; detach it, or compute it inside (RefusalsTest.java:"),
                backward);
        Tensor target = machine.zeros(3);
        String written = refusal(x -> target.copy_(x.mul(weight)));
        assertTrue(written.startsWith("copy_: gradients do not flow out of a program"), written);
        outside.sum().backward();
        assertEquals(6, weight.grad().sum().itemDouble());
    }

    @Test
    void anInputThatRequiresGradients() {
        Program program = machine.program(in -> List.of(in.getFirst().mul(2)));
        Tensor input = machine.zeros(2).requiresGrad(true);
        assertEquals(
                "program: gradients do not flow through a call, so input 0 must not require any; detach it, or compute"
                        + " it inside, got float32[2]",
                assertThrows(OutpostException.class, () -> program.call(input)).getMessage());
        assertEquals(false, program.call(input.detach()).getFirst().requiresGrad());
    }

    @Test
    void aTensorThatLeavesAnotherWay() {
        AtomicReference<Tensor> leaked = new AtomicReference<>();
        Program program = machine.program(in -> {
            leaked.set(in.getFirst().mul(2));
            machine.unscoped(() -> {
                leaked.set(in.getFirst().mul(2));
                return null;
            });
            return List.of(in.getFirst());
        });
        program.call(machine.zeros(2));
        assertEquals(
                "program: a tensor of float32[2] that a program made while it was traced is no value; return it from"
                        + " the program",
                assertThrows(OutpostException.class, () -> leaked.get().add(1)).getMessage());
    }

    @Test
    void opsThatChangeTheMachineAreRefused() {
        assertTrue(refusal(x -> {
                    machine.manualSeed(3);
                    return x;
                })
                .startsWith("manual_seed: "));
        assertTrue(refusal(x -> {
                    machine.synchronize();
                    return x;
                })
                .startsWith("synchronize: "));
        assertTrue(refusal(x -> {
                    x.explain();
                    return x;
                })
                .startsWith("explain: "));
    }

    @Test
    void aTensorThatWasClosed() {
        Tensor captured = machine.zeros(2).named("table");
        Program program = machine.program(in -> List.of(in.getFirst().add(captured)));
        program.call(machine.zeros(2));
        captured.close();
        assertEquals(
                "add: the tensor table float32[2] was closed by close(): close it behind its last use, or use another"
                        + " handle, as detach() makes",
                assertThrows(OutpostException.class, () -> program.call(machine.zeros(2)))
                        .getMessage());
    }

    @Test
    void onePrintsInAProgramWithoutReading() {
        Program program = machine.program(in -> {
            assertEquals("float32[2] (in a program)", in.getFirst().toString());
            return in;
        });
        assertEquals(2, program.call(machine.zeros(2)).getFirst().numel());
    }
}
