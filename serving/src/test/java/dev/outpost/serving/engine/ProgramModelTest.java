package dev.outpost.serving.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.internal.publish.ProgramTraces;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a published program on a machine of this JVM, called by several clients at the same time. */
class ProgramModelTest {
    private static final List<TensorType> ROWS_OF_2 = List.of(new TensorType(DType.FLOAT32, Shape.of(1, 2)));
    private static final int ROUNDS = 200;
    private static final int CLIENTS = 4;

    @TempDir
    Path folder;

    private ProgramModel load(RemoteMachine machine, UnaryOperator<Tensor> function) throws IOException {
        Path file = folder.resolve("program.safetensors");
        ProgramTraces.of(machine, inputs -> List.of(function.apply(inputs.getFirst())), ROWS_OF_2)
                .write(file);
        return ProgramModel.load(machine, "sum", file, 64, why -> {});
    }

    private static HostTensor rows(int rows) {
        float[] values = new float[2 * rows];
        for (int index = 0; index < values.length; index++) {
            values[index] = index;
        }
        return HostTensor.of(values, rows, 2);
    }

    private static ProgramAnswer call(ProgramModel program, HostTensor input) {
        return program.call(ProgramInputs.checked(program, List.of(input)));
    }

    @Test
    void callsOfClientsAtOnceAreComputedTogetherAndEachGetsItsOwnRows() throws Exception {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                ProgramModel program = load(machine, x -> x.sum(1));
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            int together = 0;
            for (int round = 0; round < ROUNDS && together < 2; round++) {
                together = callAtOnce(program, clients);
            }
            assertTrue(together >= 2, "no two calls were computed together");
        }
    }

    /** Each client has as many rows as its number says. */
    private static int callAtOnce(ProgramModel program, ExecutorService clients)
            throws ExecutionException, InterruptedException {
        List<Future<ProgramAnswer>> answers = IntStream.rangeClosed(1, CLIENTS)
                .mapToObj(rows -> clients.submit(() -> call(program, rows(rows))))
                .toList();
        int together = 0;
        for (int client = 0; client < CLIENTS; client++) {
            ProgramAnswer answer = answers.get(client).get();
            float[] expected = new float[client + 1];
            for (int row = 0; row < expected.length; row++) {
                expected[row] = 4 * row + 1;
            }
            assertArrayEquals(expected, answer.outputs().getFirst().toFloatArray());
            together = Math.max(together, answer.calls());
        }
        return together;
    }

    @Test
    void moreRowsThanATraceHasAreComputedInPieces() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                ProgramModel program = load(machine, x -> x.sum(1))) {
            float[] sums = call(program, rows(77)).outputs().getFirst().toFloatArray();
            assertEquals(77, sums.length);
            assertEquals(4 * 76 + 1, sums[76]);
        }
    }

    @Test
    void inputsOfOtherTypesAreRefusedWithBoth() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                ProgramModel program = load(machine, x -> x.sum(1))) {
            assertRefused(program, "takes float32[rows,2], got float32[1,3]", HostTensor.of(new float[3], 1, 3));
            assertRefused(program, "got int64[1,2]", HostTensor.of(new long[2], 1, 2));
            assertRefused(program, "expected 1 to", HostTensor.of(new float[0], 0, 2));
            assertRefused(program, "takes 1, got 0");
        }
    }

    private static void assertRefused(ProgramModel program, String sentence, HostTensor... inputs) {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> ProgramInputs.checked(program, List.of(inputs)))
                .getMessage();
        assertTrue(message.contains(sentence), message);
    }

    @Test
    void programThatMixesRowsIsCalledAsItWasTraced() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any");
                ProgramModel program = load(machine, x -> x.sub(x.mean()))) {
            assertEquals(1, call(program, rows(1)).calls());
            assertRefused(program, "takes float32[1,2], got float32[2,2]", rows(2));
        }
    }

    @Test
    void callsAfterTheEndAreRefused() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "any")) {
            ProgramModel program = load(machine, x -> x.sum(1));
            program.close();
            assertThrows(UnavailableException.class, () -> call(program, rows(1)));
        }
    }
}
