package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests functions that are traced once, and called with arguments like those of the trace. */
@Tag("quick")
class ProgramTest {
    private RemoteMachine machine;

    /** The machine on which the programs run. */
    RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100");
    }

    @BeforeEach
    void start() {
        machine = machine();
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private Tensor floats(float... values) {
        return machine.tensor(values);
    }

    private static void assertIs(Tensor actual, float... expected) {
        assertArrayEquals(expected, actual.toFloatArray());
    }

    @Test
    void callComputesTheTracedFunction() {
        Program program = machine.program(
                in -> List.of(in.get(0).mul(in.get(1)).add(1), in.get(0).sub(in.get(1))));
        for (int time = 1; time <= 5; time++) {
            List<Tensor> results = program.call(floats(1, 2 * time), floats(3, time));
            assertIs(results.get(0), 4, 2 * time * time + 1);
            assertIs(results.get(1), -2, time);
        }
        assertEquals(1, program.traces());
        assertEquals(3, program.instructions());
    }

    @Test
    void anotherShapeOrDtypeIsTracedAgain() {
        Program program = machine.program(in -> List.of(in.getFirst().sum()));
        assertEquals(6, program.call(floats(1, 2, 3)).getFirst().itemDouble());
        assertEquals(3, program.call(floats(1, 2)).getFirst().itemDouble());
        assertEquals(
                7, program.call(machine.tensor(new long[] {3, 4})).getFirst().itemDouble());
        assertEquals(3, program.traces());
        assertEquals(15, program.call(floats(4, 5, 6)).getFirst().itemDouble());
        assertEquals(
                9, program.call(machine.tensor(new long[] {4, 5})).getFirst().itemDouble());
        assertEquals(3, program.traces());
    }

    @Test
    void aViewIsTracedAsItLies() {
        Program program = machine.program(in -> List.of(in.getFirst().mul(2)));
        Tensor matrix = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        assertIs(program.call(matrix).getFirst(), 2, 4, 6, 8);
        assertIs(program.call(matrix.t()).getFirst(), 2, 6, 4, 8);
        assertIs(program.call(matrix.select(0, 1)).getFirst(), 6, 8);
        assertEquals(3, program.traces());
    }

    @Test
    void capturedTensorsAreReadAtTheCall() {
        Tensor factor = floats(2);
        Program program = machine.program(in -> List.of(in.getFirst().mul(factor)));
        assertIs(program.call(floats(3)).getFirst(), 6);
        factor.add_(5);
        assertIs(program.call(floats(3)).getFirst(), 21);
        assertEquals(1, program.traces());
        assertEquals(List.of("tensor float32[1]"), program.captured());
        assertEquals(List.of(), program.written());
    }

    @Test
    void writesTakeEffectAtTheReturn() {
        Tensor total = floats(0, 0).named("total");
        Tensor view = total.select(0, 1);
        Program program = machine.program(in -> {
            total.add_(in.getFirst());
            return List.of(total.sum());
        });
        assertEquals(3, program.call(floats(1, 2)).getFirst().itemDouble());
        assertIs(total, 1, 2);
        assertEquals(10, program.call(floats(3, 4)).getFirst().itemDouble());
        assertIs(total, 4, 6);
        assertEquals(6, view.itemDouble());
        assertEquals(List.of("total float32[2]"), program.written());
        assertEquals(1, program.traces());
    }

    /** Tracing has no side effects: only the call writes. */
    @Test
    void aFunctionThatFailsHasWrittenNothing() {
        Tensor total = floats(1);
        Program program = machine.program(in -> {
            total.add_(1);
            throw new IllegalStateException("no");
        });
        assertThrows(IllegalStateException.class, () -> program.call(floats(1)));
        assertIs(total, 1);
        total.mul_(3);
        assertIs(total, 3);
    }

    @Test
    void aWriteToAnInputIsSeenOutside() {
        Program program = machine.program(in -> {
            in.get(0).add_(in.get(1));
            return List.of();
        });
        Tensor target = floats(1, 2);
        program.call(target, floats(10, 20));
        assertIs(target, 11, 22);
        program.call(target.select(0, 0), target.select(0, 1));
        assertIs(target, 33, 22);
    }

    @Test
    void inputsThatShareMemoryAreSeenAsOne() {
        Program program = machine.program(in -> {
            in.get(0).mul_(10);
            return List.of(in.get(0).add(in.get(1)));
        });
        assertIs(program.call(floats(1), floats(2)).getFirst(), 12);
        Tensor both = floats(1);
        assertIs(program.call(both, both).getFirst(), 20);
        assertIs(both, 10);
        assertEquals(2, program.traces());
        assertIs(program.call(floats(1), floats(2)).getFirst(), 12);
        assertEquals(2, program.traces());
    }

    @Test
    void anInputThatIsCapturedAsWellIsSeenAsOne() {
        Tensor captured = floats(1);
        Program program = machine.program(in -> {
            in.getFirst().mul_(10);
            return List.of(captured.add(0));
        });
        assertIs(program.call(floats(5)).getFirst(), 1);
        assertIs(program.call(captured).getFirst(), 10);
        assertIs(program.call(floats(5)).getFirst(), 10);
        assertIs(program.call(captured).getFirst(), 100);
        assertEquals(2, program.traces());
    }

    @Test
    void resultsAreTensorsOfTheirOwn() {
        Tensor captured = floats(1);
        Program program = machine.program(in -> List.of(in.getFirst(), captured, captured));
        Tensor given = floats(7);
        List<Tensor> results = program.call(given);
        results.get(0).add_(1);
        results.get(1).add_(2);
        assertIs(given, 7);
        assertIs(captured, 1);
        assertIs(results.get(0), 8);
        assertIs(results.get(1), 3);
        assertIs(results.get(2), 1);
    }

    @Test
    void randomNumbersGoOnInTheStream() {
        Program program = machine.program(in -> List.of(machine.rand(3), machine.randn(2)));
        machine.manualSeed(7);
        float[][] plain = new float[6][];
        for (int draw = 0; draw < 6; draw += 2) {
            plain[draw] = machine.rand(3).toFloatArray();
            plain[draw + 1] = machine.randn(2).toFloatArray();
        }
        machine.manualSeed(7);
        for (int draw = 0; draw < 6; draw += 2) {
            List<Tensor> drawn = program.call();
            assertIs(drawn.get(0), plain[draw]);
            assertIs(drawn.get(1), plain[draw + 1]);
        }
        machine.manualSeed(8);
        assertTrue(program.call().getFirst().toFloatArray()[0] != plain[0][0]);
        assertEquals(1, program.traces());
    }

    @Test
    void theStreamGoesOnFromWhereItStood() {
        Program program = machine.program(in -> List.of(machine.rand(3)));
        machine.manualSeed(9);
        program.call();
        Generator.State state = machine.randomState();
        float[] next = program.call().getFirst().toFloatArray();
        machine.manualSeed(1).randomState(state);
        assertIs(program.call().getFirst(), next);
        assertEquals(state.draws() + 1, machine.randomState().draws());
    }

    @Test
    void oneProgramInAnotherIsPartOfIt() {
        Program inner = machine.program(in -> List.of(in.getFirst().mul(2)));
        Program outer = machine.program(
                in -> List.of(inner.call(in.getFirst().add(1)).getFirst().add(1)));
        assertIs(outer.call(floats(3)).getFirst(), 9);
        assertEquals(0, inner.traces());
    }

    @Test
    void aCallIsTensOfBytes() {
        Tensor state = machine.rand(16);
        Program program = machine.program(in -> {
            for (int op = 0; op < 1000; op++) {
                state.mul_(0.5).add_(in.getFirst());
            }
            return List.of(state.sum());
        });
        Tensor input = machine.rand(16);
        program.call(input);
        machine.synchronize();
        long before = machine.stats().controlBytesOut();
        for (int time = 0; time < 100; time++) {
            program.call(input).getFirst().close();
        }
        machine.synchronize();
        long each = (machine.stats().controlBytesOut() - before) / 100;
        assertTrue(each < 60, () -> each + " bytes a call");
    }

    @Test
    void faultAffectsDependentResultsOnly() {
        Tensor table = floats(1, 2, 3);
        Program program = machine.program(
                in -> List.of(table.indexSelect(0, in.getFirst()), in.getFirst().add(1)));
        List<Tensor> results = program.call(machine.tensor(new long[] {7}));
        assertEquals(8, results.get(1).itemLong());
        RemoteException fault =
                assertThrows(RemoteException.class, () -> results.get(0).toFloatArray());
        assertTrue(fault.getMessage().startsWith("index_select: "), fault::getMessage);
        assertIs(program.call(machine.tensor(new long[] {1})).getFirst(), 2);
    }

    @Test
    void closingEverythingFreesEverything() {
        Tensor state = floats(1, 2);
        Program program = machine.program(in -> {
            state.add_(in.getFirst());
            return List.of(state.mul(2));
        });
        for (int time = 0; time < 3; time++) {
            try (Tensor input = floats(1, 1);
                    Tensor result = program.call(input).getFirst()) {
                assertEquals(2, result.numel());
            }
        }
        assertEquals(1, machine.heldValues());
        state.close();
        // Progress is reported for segments, so this sends a segment after the earlier frees.
        machine.zeros(1).close();
        machine.synchronize();
        assertEquals(0, machine.heldValues());
        assertEquals(0, machine.stats().liveValues());
        program.close();
        String message = assertThrows(OutpostException.class, () -> program.call(floats(1, 1)))
                .getMessage();
        assertEquals("program: it is closed", message);
    }

    @Test
    void earlierValueOfAWrittenInputMayBeAnOutput() {
        assertIs(writtenBehind(Tensor::exp).getFirst(), 1, 2);
    }

    @Test
    void earlierValueOfAWrittenInputMayBeBoundElsewhere() {
        Tensor elsewhere = floats(0, 0);
        writtenBehind(first -> elsewhere);
        assertIs(elsewhere, 1, 2);
    }

    /** Calls a program that copies its input to the result of a function, and then overwrites it. */
    private List<Tensor> writtenBehind(UnaryOperator<Tensor> target) {
        Program program = machine.program(in -> {
            Tensor answer = target.apply(in.getFirst()).copy_(in.getFirst());
            in.getFirst().mul_(2);
            return List.of(answer);
        });
        Tensor first = floats(1, 2);
        List<Tensor> answers = program.call(first);
        assertIs(first, 2, 4);
        return answers;
    }
}
