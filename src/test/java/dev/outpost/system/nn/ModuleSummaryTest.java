package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.summary.ModuleSummary;
import org.junit.jupiter.api.Test;

class ModuleSummaryTest {
    /** A module with two inputs, a parameter that two modules share, and a layer that is called by its forward. */
    private static final class Tied extends Module {
        private final Linear first = register("first", new Linear(4, 4, false));
        private final Linear second = register("second", new Linear(4, 4, false));

        private Tied() {
            register("shared", new Sequential(first));
        }

        private Tensor forward(Tensor a, Tensor b) {
            return first.call(a).add(second.forward(b));
        }
    }

    @Test
    void layersHaveShapesParametersAndMemory() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Sequential model = new Sequential(
                    new Linear(4, 8), new BatchNorm1d(8), new Sequential(new ReLU(), new Dropout()), new Linear(8, 2));
            model.to(machine);
            model.children().get(3).requiresGrad(false);
            model.children().get(1).eval();
            ModuleSummary summary = ModuleSummary.of(model, machine.zeros(16, 4));
            assertEquals("""
                    ================================================================================================
                    Layer (type)                              Output shape                    Param #       Memory
                    ================================================================================================
                    Sequential                                [16, 2]                               -            -
                      (0): Linear                             [16, 8]                              40        160 B
                      (1): BatchNorm1d                        [16, 8]                              16        136 B
                      (2): Sequential                         [16, 8]                               -            -
                        (0): ReLU                             [16, 8]                               -            -
                        (1): Dropout                          [16, 8]                               -            -
                      (3): Linear                             [16, 2]                              18         72 B
                    ================================================================================================
                    Parameters: 74, of which 56 are trained
                    Memory: 368 B of parameters and buffers, 2.1 KiB of outputs
                    ================================================================================================\
                    """, summary.toString());
            assertEquals((4 * 16 * 8 + 16 * 2) * 4, summary.outputBytes());
            assertTrue(model.isTraining() && model.children().get(0).isTraining(), "the mode is as it was");
            assertFalse(model.children().get(1).isTraining(), "the mode of each module is as it was");
        }
    }

    @Test
    void sharedLayersKeepTheirMode() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Linear shared = new Linear(4, 4);
            Sequential frozen = new Sequential(new Sequential(shared), new ReLU());
            Sequential model = new Sequential(shared, frozen);
            model.to(machine);
            frozen.eval();
            shared.train();
            ModuleSummary.of(model, machine.zeros(1, 4));
            assertTrue(shared.isTraining());
            assertFalse(frozen.isTraining() || frozen.children().getFirst().isTraining());
            assertTrue(model.isTraining());
        }
    }

    @Test
    void sharedParametersCountOnceAndUncalledModulesHaveADash() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tied model = new Tied();
            model.to(machine);
            Tensor input = machine.zeros(3, 4);
            ModuleSummary summary = ModuleSummary.of(model, () -> model.forward(input, input));
            assertEquals(32, summary.parameters());
            assertEquals(128, summary.bytes());
            assertEquals(
                    "[3, 4]", summary.layers().get(1).output().orElseThrow().toString());
            assertTrue(summary.layers().get(2).output().isEmpty());
        }
    }
}
