package dev.outpost.system.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.publish.ProgramFile;
import dev.outpost.internal.publish.ProgramTraces;
import dev.outpost.internal.publish.StoredProgram;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests published programs: which programs are computed by rows, and that the file contains all that a machine needs. */
class PublishedProgramTest {
    private static final List<TensorType> ROWS_OF_4 = List.of(new TensorType(DType.FLOAT32, Shape.of(3, 4)));

    private RemoteMachine machine;

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private ProgramFile traced(UnaryOperator<Tensor> function) {
        return ProgramTraces.of(machine, inputs -> List.of(function.apply(inputs.getFirst())), ROWS_OF_4);
    }

    private void assertByRows(boolean expected, String name, UnaryOperator<Tensor> function) {
        assertEquals(expected, traced(function).isByRows(), name);
    }

    @Test
    void rowsThatDependOnNothingElseAreComputedTogether() {
        Linear layer = new Linear(4, 2);
        layer.to(machine);
        Tensor matrix = machine.ones(4, 5);
        assertByRows(true, "a layer", layer::call);
        assertByRows(true, "softmax of a row", x -> Functional.softmax(x, 1));
        assertByRows(true, "a sum of a row", x -> x.sum(1));
        assertByRows(
                true, "rows against a captured matrix", x -> x.matmul(matrix).add(1));
        assertByRows(true, "the input itself", x -> x);
    }

    @Test
    void rowsThatDependOnOthersAreNot() {
        assertByRows(false, "softmax over rows", x -> Functional.softmax(x, 0));
        assertByRows(false, "less the mean of all rows", x -> x.sub(x.mean()));
        assertByRows(false, "sorted rows", x -> x.sort(0, false).values());
        assertByRows(false, "rows in another order", x -> x.flip(0));
        assertByRows(
                false,
                "the place of a row",
                x -> x.add(machine.arange(x.size(0)).unsqueeze(1)));
        assertByRows(false, "running sums over rows", x -> x.cumsum(0));
        assertByRows(false, "a product of rows", x -> x.matmul(x.t()));
        assertByRows(false, "one result for all", Tensor::sum);
        Tensor three = machine.ones(3, 4);
        assertByRows(false, "another number of rows is refused", x -> x.add(three));
    }

    @Test
    void whatIsNotTheSameAtEachCallIsRefused() {
        assertRefused("draws random numbers", x -> x.add(machine.rand(4)));
        Tensor state = machine.zeros(4);
        assertRefused("writes something in place", x -> x.add(state.add_(1)));
    }

    private void assertRefused(String sentence, UnaryOperator<Tensor> function) {
        String message =
                assertThrows(OutpostException.class, () -> traced(function)).getMessage();
        assertTrue(message.contains(sentence), message);
    }

    @Test
    void fileSaysAllThatAnotherMachineNeeds() throws IOException {
        Linear layer = new Linear(4, 2);
        layer.to(machine);
        ProgramFile program = traced(x -> Functional.softmax(layer.call(x), 1));
        assertEquals(32, program.maxRows());
        assertEquals("[float32[1,4]]", program.inputs().toString());
        assertEquals("[float32[1,2]]", program.outputs().toString());
        Path file = folder.resolve("program.safetensors");
        program.write(file);
        HostTensor input = HostTensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 4);
        HostTensor expected =
                Functional.softmax(layer.call(machine.tensor(input)), 1).toHost();
        try (RemoteMachine other = RemoteMachine.of("mock", "L4");
                StoredProgram stored = StoredProgram.load(other, ProgramFile.read(file))) {
            stored.warmUp();
            assertEquals(List.of(expected), stored.call(List.of(input)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> stored.call(List.of(input.slice(0, 1).reshape(4))));
        }
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        ProgramFile program = traced(x -> x.mul(2));
        Path file = folder.resolve("program.safetensors");
        program.write(file);
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at += 7) {
            byte[] wrong = bytes.clone();
            wrong[at] ^= 0x55;
            Files.write(file, wrong);
            try {
                ProgramFile.read(file);
            } catch (OutpostException | IllegalArgumentException ignored) {
                // This is expected; some bytes are data, of which all values are valid.
            }
        }
        Files.write(file, new byte[20]);
        assertThrows(MalformedException.class, () -> ProgramFile.read(file));
    }

    @Test
    void machinesOfNoBackendPublishNothing() {
        machine.awaitReady();
        Program program = machine.program(inputs -> List.of(inputs.getFirst().mul(2)));
        OutpostException early = assertThrows(OutpostException.class, () -> machine.publish("double", program));
        assertTrue(early.getMessage().contains("has not been called"), early.getMessage());
        program.call(machine.ones(2, 2));
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> machine.publish("double", program));
        assertTrue(refused.getMessage().contains("publishes no programs"), refused.getMessage());
        OutpostException named = assertThrows(OutpostException.class, () -> machine.publish("No Name", program));
        assertTrue(named.getMessage().contains("lower-case"), named.getMessage());
    }
}
