package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockNetwork;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.stats.MachineStats;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The values that a program reads are correct, and take no more bytes than their size. */
@Tag("quick")
class LookingTest {
    @Test
    void smallTensorsPrintWhole() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.tensor(new float[] {1, 2, 3, 4.5f}, 2, 2);
            assertEquals("tensor([[1.0000, 2.0000],\n        [3.0000, 4.5000]])", x.toString());
            assertEquals("tensor([[1.0000, 3.0000],\n        [2.0000, 4.5000]])", x.t().toString());
            assertEquals("tensor([0, 1, 2])", machine.arange(3).toString());
            assertEquals("tensor(3, dtype=int32)", machine.full(3, DType.INT32).toString());
            assertEquals(
                    "tensor([1.], requires_grad=True)",
                    machine.ones(1).requiresGrad(true).toString());
        }
    }

    /** A double has 53 bits. */
    @Test
    void anItemHasAllBitsOfALong() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            long odd = (1L << 53) + 1;
            assertEquals(odd, machine.full(odd, DType.INT64).itemLong());
            assertEquals(1, machine.scalar(true).itemLong());
            assertEquals(1.0, machine.scalar(true).itemDouble());
        }
    }

    @Test
    void largeTensorsPrintTheirEdgesAndFetchNoMore() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.arange(4_000_000).reshape(2000, 2000);
            String text = x.toString();
            assertTrue(text.startsWith("tensor([[      0,       1,       2,  ...,    1997,    1998,    1999],"), text);
            assertTrue(text.contains("..."), text);
            MachineStats stats = machine.stats();
            assertTrue(stats.bytesIn() < 4096, "bytes in: " + stats.bytesIn());
            assertEquals(1, stats.waits());
        }
    }

    /** A machine queues four thousand messages of a session while it computes, and ends one that sends more. */
    @Test
    void thousandsOfQuestionsMayBeAskedAtOnce() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            // Each request is for a different value, because a value is not requested twice.
            List<Tensor> values = new ArrayList<>();
            for (int question = 0; question < 8000; question++) {
                values.add(machine.arange(3));
            }
            Tensor ones = machine.ones(1024, 1024);
            Tensor product = ones;
            for (int factor = 1; factor < 12; factor++) {
                product = product.matmul(ones);
            }
            List<CompletableFuture<HostTensor>> coming = new ArrayList<>();
            values.forEach(value -> coming.add(value.fetch()));
            coming.forEach(answer ->
                    assertArrayEquals(new long[] {0, 1, 2}, answer.join().toLongArray()));
            assertEquals(0x1p110, product.amax().item());
        }
    }

    @Test
    void elementsGoIntoAnArrayThatTheProgramHas() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            float[] floats = {9, 9, 9, 9, 9};
            machine.tensor(new float[] {1, 2, 3, 4}, 2, 2).t().copyTo(floats);
            assertArrayEquals(new float[] {1, 3, 2, 4, 9}, floats);
            double[] doubles = new double[2];
            machine.full(0.1, DType.FLOAT64, 2).copyTo(doubles);
            assertArrayEquals(new double[] {0.1, 0.1}, doubles);
            long[] longs = new long[3];
            machine.arange(3).copyTo(longs);
            assertArrayEquals(new long[] {0, 1, 2}, longs);
            int[] ints = new int[1];
            machine.full(7, DType.INT32).copyTo(ints);
            assertArrayEquals(new int[] {7}, ints);
        }
    }

    @Test
    void manyElementsGoIntoTheSameArrayAgainAndAgain() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            float[] values = new float[300_000];
            for (int round = 1; round <= 3; round++) {
                machine.full(round, DType.FLOAT32, values.length).copyTo(values);
                assertEquals(
                        values.length, Arrays.mismatch(values, 0, values.length, filled(round, 300_001), 0, 300_001));
            }
        }
    }

    private static float[] filled(float value, int length) {
        float[] values = new float[length];
        Arrays.fill(values, value);
        return values;
    }

    @Test
    void anArrayThatDoesNotFitIsRefusedBeforeAnythingIsAsked() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.ones(2, 2);
            OpException small = assertThrows(OpException.class, () -> x.copyTo(new float[3]));
            assertEquals("copyTo: the array holds 3 elements, too few for a tensor of [2, 2]", small.getMessage());
            OpException other = assertThrows(OpException.class, () -> x.copyTo(new double[4]));
            assertEquals("copyTo: an array of float64 takes no float32", other.getMessage());
            assertEquals(0, machine.stats().waits());
        }
    }

    @Test
    void interruptedReadReleasesTheArray() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            float[] values = new float[1 << 20];
            Tensor x = machine.randn(1500, 1500)
                    .matmul(machine.randn(1500, 1500))
                    .flatten()
                    .narrow(0, 0, values.length);
            Thread.currentThread().interrupt();
            assertThrows(OutpostException.class, () -> x.copyTo(values));
            Thread.interrupted();
            Arrays.fill(values, 7);
            machine.synchronize();
            x.sum().item();
            assertArrayEquals(filled(7, values.length), values);
        }
    }

    @Test
    void oneElementOfALargeTensorTravelsAlone() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.arange(1_000_000);
            assertEquals(123_456L, x.select(0, 123_456).item());
            assertTrue(
                    machine.stats().bytesIn() < 1024,
                    "bytes in: " + machine.stats().bytesIn());
        }
    }

    @Test
    void everyDtypeGoesThereAndBack() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (int elements : new int[] {0, 1, 7, 50_000}) {
                for (DType dtype : DType.values()) {
                    HostTensor values = HostTensor.of(noise(elements), elements).to(dtype);
                    assertEquals(values, machine.tensor(values).toHost(), dtype + " of " + elements);
                }
            }
        }
    }

    /** An upload copies at the call. */
    @Test
    void arraysAndBuffersMayBeReusedAtOnce() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            float[] values = noise(100_000);
            float[] expected = values.clone();
            Tensor fromArray = machine.tensor(values);
            Tensor fromBuffer = machine.tensor(HostTensor.of(FloatBuffer.wrap(values), values.length));
            Arrays.fill(values, -1);
            assertArrayEquals(expected, fromArray.toFloatArray());
            assertArrayEquals(expected, fromBuffer.toFloatArray());
        }
    }

    @Test
    void manyFetchesAtOnceWaitOnce() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            List<CompletableFuture<HostTensor>> fetches = new ArrayList<>();
            for (int size = 1; size < 40; size++) {
                fetches.add(machine.ones(1000L * size).sum().fetch());
            }
            for (int size = 1; size < 40; size++) {
                assertEquals(1000.0 * size, fetches.get(size - 1).join().getDouble(0));
            }
        }
    }

    @Test
    void theInstructionLogTellsWhatHappened(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("instructions.log");
        System.setProperty("outpost.instruction.log", file.toString());
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            machine.ones(2, 3).matmul(machine.ones(3, 4)).sum().item();
        } finally {
            System.clearProperty("outpost.instruction.log");
        }
        String log = PlainNames.in(Files.readString(file));
        assertTrue(log.contains(" | RECORD | mock-A100 | Instruction | 0B | %1 = full float32[2,3]"), log);
        assertTrue(
                log.matches(
                        "(?s).*\\d+\\.\\d{3}s \\| #\\d{4} \\| SEND \\| mock-A100 \\| Segment \\| \\d+B \\| \\d+ instructions.*"),
                log);
        assertTrue(log.matches("(?s).*\\| RECV \\| mock-A100 \\| Fetched \\| [1-9]\\d*B \\|.*"), log);
        assertTrue(log.contains("| LIFE | mock-A100 | Connect | 0B | "), log);
        assertTrue(log.contains("| LIFE | mock-A100 | End | 0B | mock-A100: the machine is closed"), log);
    }

    @Test
    void theInstructionLogTellsOfTheMachinesLife(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("instructions.log");
        System.setProperty("outpost.instruction.log", file.toString());
        MockProvider cut = new MockProvider(MockSettings.STANDARD.withNetwork(MockNetwork.PERFECT.withCutAfter(4)));
        MachineOptions restarting = new MachineOptions().onLoss(MachineLossPolicy.RESTART);
        try (RemoteMachine machine = RemoteMachine.of(cut, "A100", restarting)) {
            for (int read = 0; read < 8; read++) {
                machine.ones(2, 3).sum().item();
            }
            assertThrows(OutpostException.class, () -> {
                cut.machines().getFirst().lose("the node was preempted");
                while (true) {
                    machine.synchronize();
                }
            });
            machine.ones(2).sum().item();
        } finally {
            System.clearProperty("outpost.instruction.log");
        }
        String log = PlainNames.in(Files.readString(file));
        for (String event : List.of("Connect", "Disconnect", "Reconnect", "Loss", "Restart", "End")) {
            assertTrue(log.contains("| LIFE | mock-A100 | " + event + " | 0B | "), event + " is missing in\n" + log);
        }
    }

    /** A program that hangs has its last op in the log. */
    @Test
    void theInstructionLogIsWrittenBeforeTheProgramWaits(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("instructions.log");
        System.setProperty("outpost.instruction.log", file.toString());
        MockProvider never = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofHours(1)));
        try (RemoteMachine machine = RemoteMachine.of(never, "A100", new MachineOptions().closeLimit(Duration.ZERO))) {
            Tensor last = machine.ones(2, 3).sum();
            Thread reader = Thread.startVirtualThread(() -> assertThrows(OutpostException.class, () -> last.item()));
            Await.until("the last op is in the log", () -> read(file).contains("= sum %1"));
            reader.interrupt();
            reader.join();
        } finally {
            System.clearProperty("outpost.instruction.log");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static float[] noise(int elements) {
        Random random = new Random(elements);
        float[] values = new float[elements];
        for (int index = 0; index < elements; index++) {
            values[index] = random.nextInt(200) - 100;
        }
        return values;
    }
}
