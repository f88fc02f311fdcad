package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.AdamW;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockNetwork;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small training run over bad networks has the same bits as over a perfect one. */
class FaultyNetworkTest {
    private static final int STEPS = 4;

    @Test
    void aCutAtAnyFrameChangesNothing() {
        AtomicLong frames = new AtomicLong();
        byte[] expected = train(MockNetwork.PERFECT, frames);
        assertTrue(frames.get() > 10, "only " + frames + " frames to cut at");
        for (int cut = 1; cut <= frames.get(); cut++) {
            byte[] weights = train(MockNetwork.PERFECT.withCutAfter(cut), new AtomicLong());
            assertArrayEquals(expected, weights, "cut after frame " + cut);
        }
    }

    @Test
    @Tag("quick")
    void aConnectionThatKeepsBreakingChangesNothing() {
        byte[] expected = train(MockNetwork.PERFECT, new AtomicLong());
        assertArrayEquals(expected, train(MockNetwork.PERFECT.withCutEvery(7), new AtomicLong()));
    }

    @Test
    void latencyChangesNothing() {
        byte[] expected = train(MockNetwork.PERFECT, new AtomicLong());
        byte[] slow = train(MockNetwork.PERFECT.withLatency(Duration.ofMillis(20)), new AtomicLong());
        assertArrayEquals(expected, slow);
    }

    /** Weights after a few steps, with uploads, downloads and reads in between; {@code frames} gets the number of frames. */
    private static byte[] train(MockNetwork network, AtomicLong frames) {
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withNetwork(network));
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", new MachineOptions())) {
            machine.manualSeed(7);
            Sequential model =
                    new Sequential(new Linear(80, 64), new ReLU(), new Dropout(0.1), new Linear(64, 4)).to(machine);
            AdamW optimizer = new AdamW(model.parameters(), 1e-2);
            for (int step = 0; step < STEPS; step++) {
                try (var scope = machine.scope()) {
                    Tensor x = machine.tensor(images(step));
                    Tensor y = machine.randint(0, 4, 32);
                    optimizer.zeroGrad();
                    Tensor loss = Functional.crossEntropy(model.forward(x), y);
                    loss.backward();
                    optimizer.step();
                    assertTrue(Double.isFinite(loss.itemDouble()));
                }
            }
            byte[] weights = model.parameters().get(0).tensor().toHost().bytes();
            MockMachine mock = provider.machines().getLast();
            frames.set(mock.framesFromClient() + mock.framesFromMachine());
            return weights;
        }
    }

    /** More than fits in a segment, so that it is sent on the bulk lane. */
    private static HostTensor images(int step) {
        float[] values = new float[32 * 80];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) Math.sin(step * values.length + index);
        }
        return HostTensor.of(values, 32, 80);
    }
}
