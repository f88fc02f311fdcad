package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.Index;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.types.DType;
import dev.outpost.types.MachineLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reading a value again sends nothing to the machine, and the next read sees every change of a tensor. */
@Tag("quick")
class ReadAgainTest {
    private final RemoteMachine machine = RemoteMachine.of("mock", "A100");

    @AfterEach
    void close() {
        machine.close();
    }

    private long waits() {
        return machine.stats().waits();
    }

    @Test
    void allWaysToReadShareWhatWasRead() {
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.toFloatArray());
        long waits = waits();
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.toFloatArray());
        assertArrayEquals(new double[] {1, 2, 3, 4}, x.toDoubleArray());
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.toHost().toFloatArray());
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.fetch().join().toFloatArray());
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.reshape(4).toFloatArray());
        float[] target = new float[6];
        x.detach().copyTo(target);
        assertArrayEquals(new float[] {1, 2, 3, 4, 0, 0}, target);
        assertEquals("tensor([[1., 2.],\n        [3., 4.]])", x.toString());
        assertEquals(waits, waits());
    }

    @Test
    void aViewIsReadOnceToo() {
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        assertArrayEquals(new float[] {1, 3}, x.select(1, 0).toFloatArray());
        long waits = waits();
        assertArrayEquals(new float[] {1, 3}, x.select(1, 0).toFloatArray());
        assertEquals(waits, waits());
        assertArrayEquals(new float[] {2, 4}, x.select(1, 1).toFloatArray());
        assertEquals(waits + 1, waits());
    }

    @Test
    void arraysBelongToTheirReaders() {
        Tensor x = machine.tensor(new float[] {1, 2}, 2);
        x.toFloatArray()[0] = 9;
        x.toHost().bytes()[0] = 9;
        x.fetch().join().toFloatArray()[1] = 9;
        assertArrayEquals(new float[] {1, 2}, x.toFloatArray());
    }

    @Test
    void everyWriteIsSeen() {
        List<UnaryOperator<Tensor>> writes = List.of(
                x -> x.add_(1),
                x -> x.select(0, 1).fill_(7),
                x -> x.copy_(machine.full(3, DType.FLOAT32, 4)),
                x -> x.set(5, Index.at(0)),
                x -> x.detach().mul_(2),
                x -> x.resize_(2).zero_(),
                x -> {
                    Program program = machine.program(in -> {
                        in.getFirst().add_(1);
                        return List.of();
                    });
                    program.call(x);
                    return x;
                });
        for (UnaryOperator<Tensor> write : writes) {
            Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 4);
            Tensor twin = machine.tensor(new float[] {1, 2, 3, 4}, 4);
            Tensor view = x.narrow(0, 0, 2);
            view.toFloatArray();
            x.toFloatArray();
            write.apply(x);
            write.apply(twin);
            assertArrayEquals(twin.clone().toFloatArray(), x.toFloatArray());
            assertArrayEquals(twin.narrow(0, 0, 2).clone().toFloatArray(), view.toFloatArray());
        }
    }

    @Test
    void whatIsPrintedIsReadOnce() {
        Tensor small = machine.arange(6).view(2, 3);
        Tensor large = machine.arange(2 * 3000).view(2000, 3);
        Tensor wide = machine.arange(300 * 400).view(300, 400);
        for (Tensor tensor : List.of(small, small.t(), large, large.t(), wide, wide.t(), wide.narrow(0, 1, 20))) {
            String text = tensor.toString();
            long waits = waits();
            assertEquals(text, tensor.toString());
            assertEquals(text, tensor.detach().toString());
            assertEquals(waits, waits(), text);
            assertEquals(text, tensor.toHost().toString());
        }
    }

    @Test
    void whatIsPrintedWasRead() {
        Tensor large = machine.arange(2 * 3000).to(DType.FLOAT32).view(2000, 3);
        large.toFloatArray();
        large.t().toHost();
        long waits = waits();
        String text = large.toString();
        String transposed = large.t().toString();
        assertEquals(waits, waits());
        assertEquals(large.toHost().toString(), text);
        assertEquals(large.t().toHost().toString(), transposed);
    }

    @Test
    void aReadTakesWhatWasPrinted() {
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        assertEquals("tensor([[1., 2.],\n        [3., 4.]])", x.toString());
        long waits = waits();
        assertArrayEquals(new float[] {1, 2, 3, 4}, x.toFloatArray());
        assertEquals(waits, waits());
    }

    @Test
    void printsSeeWrites() {
        Tensor large = machine.zeros(2000, 3);
        Tensor view = large.t();
        large.toString();
        view.toString();
        large.select(0, 1999).fill_(7);
        assertEquals(large.toHost().toString(), large.toString());
        assertEquals(view.toHost().toString(), view.toString());
        large.add_(1);
        assertEquals(large.clone().toString(), large.toString());
    }

    /** A value of 64 KiB together with the overhead of its entry exceeds the limit of the cache. */
    @Test
    void largeValuesAreAskedForAgain() {
        Tensor large = machine.ones(16 << 10);
        large.toFloatArray();
        long waits = waits();
        large.toFloatArray();
        assertEquals(waits + 1, waits());
    }

    /** 16 MiB are kept. */
    @Test
    void theValueThatWasReadLongestAgoMakesRoom() {
        Tensor first = machine.ones(15 << 10);
        first.toFloatArray();
        // A value that is collected makes room as well.
        List<Tensor> others = new ArrayList<>();
        for (int value = 0; value < 16 * 1024 / 60 + 8; value++) {
            others.add(machine.full(value, DType.FLOAT32, 15 << 10));
            others.getLast().toFloatArray();
        }
        long waits = waits();
        others.getLast().toFloatArray();
        assertEquals(waits, waits());
        first.toFloatArray();
        assertEquals(waits + 1, waits());
    }

    @Test
    void aReadEndsTheSegmentWhereverItsAnswerComesFrom() {
        Tensor x = machine.ones(2);
        x.toFloatArray();
        x.add(1);
        long segments = machine.stats().segments();
        x.toFloatArray();
        assertEquals(segments + 1, machine.stats().segments());
    }

    @Test
    void aLostMachineAnswersNothing() {
        MockProvider mock = new MockProvider(MockSettings.STANDARD);
        try (RemoteMachine lost = RemoteMachine.of(mock, "A100", new MachineOptions())) {
            Tensor x = lost.ones(2);
            x.toFloatArray();
            mock.machines().getFirst().lose("the node was preempted");
            assertThrows(MachineLostException.class, () -> {
                while (true) {
                    x.toFloatArray();
                }
            });
        }
    }

    @Test
    void aGroupKeepsReadsToo() {
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4}), 0);
            assertArrayEquals(new float[] {1, 2, 3, 4}, x.toFloatArray());
            long waits = group.machine().stats().waits();
            assertArrayEquals(new float[] {1, 2, 3, 4}, x.toFloatArray());
            assertEquals(waits, group.machine().stats().waits());
            x.add_(1);
            assertArrayEquals(new float[] {2, 3, 4, 5}, x.toFloatArray());
            Tensor large = group.sharded(machine.arange(3 * 2000).view(2000, 3).toHost(), 0);
            String text = large.toString();
            waits = group.machine().stats().waits();
            assertEquals(text, large.toString());
            assertEquals(waits, group.machine().stats().waits());
        }
    }
}
