package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.CosineAnnealingLR;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.stats.MachineStats;
import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exact cost of a program in round trips, segments, plans and memory. */
@Tag("quick")
class CountersTest {
    private final MockProvider provider = new MockProvider(MockSettings.STANDARD);

    private RemoteMachine machine() {
        return RemoteMachine.of(provider, "A100", new MachineOptions());
    }

    private MockMachine mock() {
        return provider.machines().getLast();
    }

    @Test
    void manyOpsAndOneLookWaitOnce() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(4);
            for (int op = 0; op < 500; op++) {
                x = x.add(1);
            }
            assertEquals(0, machine.stats().waits());
            assertEquals(501.0, x.sum().itemDouble() / 4);
            MachineStats stats = machine.stats();
            assertEquals(1, stats.waits());
            assertEquals(502, stats.opsRecorded());
            assertEquals(1, stats.segments());
        }
    }

    /** So a failure of an upload or of a read of a file has the line of its call. */
    @Test
    void eagerUploadsAndLoadsWaitAtOnce(@TempDir Path folder) {
        MachineOptions options = new MachineOptions().eager(true).option("sources", "file:" + folder);
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", options)) {
            machine.tensor(new float[] {1});
            assertEquals(1, machine.stats().segments());
            Tensor large = machine.tensor(new float[100_000]);
            assertEquals(2, machine.stats().segments());
            machine.save("file:" + folder, Map.of("weight", large));
            long before = machine.stats().segments();
            machine.open("file:" + folder).tensor("weight").load();
            assertEquals(before + 1, machine.stats().segments());
        }
    }

    @Test
    void questionsOfShapeWaitForNothingAndSendNothing() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.zeros(1).expand(100_000, 100_000).transpose(0, 1).slice(0, 5, 10);
            assertEquals("float32[5,100000]", x.type().toString());
            assertEquals(500_000, x.numel());
            assertEquals(0, x.stride(1));
            assertEquals(0, machine.stats().waits());
            assertEquals(0, machine.stats().segments());
        }
    }

    @Test
    void aTrainingStepWaitsForNothingUntilTheLossIsRead() {
        try (RemoteMachine machine = machine()) {
            Training training = new Training(machine);
            for (int step = 0; step < 10; step++) {
                training.step();
            }
            assertEquals(0, machine.stats().waits());
            assertTrue(Double.isFinite(training.loss().itemDouble()));
            assertEquals(1, machine.stats().waits());
        }
    }

    @Test
    void laterTrainingStepsPlanNothingNew() {
        try (RemoteMachine machine = machine()) {
            Training training = new Training(machine);
            for (int step = 0; step < 3; step++) {
                training.step();
            }
            machine.synchronize();
            MachineStats early = machine.stats();
            for (int step = 3; step < 100; step++) {
                training.step();
            }
            machine.synchronize();
            MachineStats late = machine.stats();
            assertEquals(early.plans(), late.plans());
            assertEquals(97, late.segments() - early.segments());
            assertEquals(97, late.repeatedSegments() - early.repeatedSegments());
        }
    }

    @Test
    void aStepInAScopeKeepsOnlyWhatOutlivesIt() {
        try (RemoteMachine machine = machine()) {
            Training training = new Training(machine);
            training.step();
            long held = machine.heldValues();
            for (int step = 0; step < 20; step++) {
                training.step();
            }
            assertEquals(held, machine.heldValues());
        }
    }

    @Test
    void aClosedMachineLeavesNothingBehind() throws InterruptedException {
        MockMachine mock;
        try (RemoteMachine machine = machine()) {
            Training training = new Training(machine);
            training.step();
            training.loss().itemDouble();
            mock = mock();
            assertEquals(1, mock.host().sessionCount());
            assertTrue(mock.host().liveBytes() > 0);
        }
        assertTrue(mock.host().awaitIdle(Await.GUARD));
        assertEquals(0, mock.host().sessionCount());
        assertEquals(0, mock.host().liveBytes());
    }

    @Test
    void closingEveryTensorFreesEveryByte() throws InterruptedException {
        try (RemoteMachine machine = machine()) {
            try (Tensor x = machine.rand(1000);
                    Tensor y = x.mul(2)) {
                y.toFloatArray();
                assertEquals(2, machine.heldValues());
            }
            assertEquals(0, machine.heldValues());
            awaitNoBytes();
        }
    }

    private void awaitNoBytes() {
        Await.until("no bytes are live", () -> mock().host().liveBytes() == 0);
    }

    /** A small training loop with everything that could make one step look different from the last. */
    private static final class Training {
        private final RemoteMachine machine;
        private final Sequential model;
        private final AdamW optimizer;
        private final CosineAnnealingLR schedule;
        private final Tensor x;
        private final Tensor y;
        private final Tensor total;

        Training(RemoteMachine machine) {
            this.machine = machine;
            machine.manualSeed(1);
            model = new Sequential(new Linear(8, 16), new ReLU(), new Dropout(0.2), new Linear(16, 3)).to(machine);
            optimizer = new AdamW(model.parameters(), 1e-2);
            schedule = new CosineAnnealingLR(optimizer, 100);
            x = machine.randn(32, 8);
            y = machine.randint(0, 3, 32);
            total = machine.zeros();
        }

        void step() {
            try (var scope = machine.scope()) {
                optimizer.zeroGrad();
                Tensor loss = Functional.crossEntropy(model.forward(x), y);
                loss.backward();
                optimizer.step();
                total.add_(loss.detach());
            }
            schedule.step();
        }

        Tensor loss() {
            return total;
        }
    }
}
