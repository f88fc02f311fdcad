package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests which part of a model and of its optimizer's state each member of a group keeps. */
class GroupMemoryTest {
    private static final int WIDTH = 256;
    private static final int WORKERS = 4;

    /** Biases of fewer rows than workers, the optimizer's counters, and rounding of allocations. */
    private static final double OVERHEAD = 0.05;

    @Test
    void aModuleThatIsCutTakesItsShareOnEachWorker() {
        long whole = kept(1)[0];
        for (long each : kept(WORKERS)) {
            assertTrue(
                    each <= whole * (1.0 / WORKERS + OVERHEAD),
                    () -> "one has " + each + " bytes of " + whole + " on one machine");
        }
    }

    /** The bytes of parameters, gradients and the optimizer's state on each member after a step. */
    private static long[] kept(int size) {
        MockProvider provider = new MockProvider();
        try (var group = MachineGroup.of(provider, "A100", size, new MachineOptions())) {
            group.dataParallel();
            Module model =
                    new Sequential(new Linear(WIDTH, WIDTH), new ReLU(), new Linear(WIDTH, WIDTH)).fullyShard(group);
            Adam optimizer = new Adam(model.parameters(), 0.01);
            HostTensor data = HostTensor.of(new float[8 * WIDTH], 8, WIDTH);
            for (int step = 0; step < 2; step++) {
                try (var scope = group.scope()) {
                    model.forward(group.tensor(data)).pow(2).mean().backward();
                    optimizer.step();
                }
            }
            group.synchronize();
            long[] kept = provider.machines().stream()
                    .mapToLong(machine -> machine.host().stats().load().liveBytes())
                    .toArray();
            assertTrue(
                    Arrays.stream(kept).sum() >= 3L * 4 * WIDTH * WIDTH * 2,
                    () -> Shape.of(kept).toString());
            return kept;
        }
    }
}
