package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.SGD;
import dev.outpost.sharding.GroupExchange;
import java.util.List;
import org.junit.jupiter.api.Test;

class GradientOrderTest {
    /** Backward computes the gradients of the last layer first, so they are transferred while it computes the others. */
    @Test
    void gradientsAreSummedInTheOrderInWhichTheyAreComputed() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            group.dataParallel();
            var model = new Sequential(new Linear(6, 5), new ReLU(), new Linear(5, 4), new ReLU(), new Linear(4, 3))
                    .to(group.machine());
            var optimizer = new SGD(model.parameters(), 0.1);
            var scores = model.forward(group.tensor(HostTensor.of(new float[8 * 6], 8, 6)));
            var loss = Functional.mseLoss(scores, group.tensor(HostTensor.of(new float[8 * 3], 8, 3)));
            loss.backward();
            optimizer.step();
            group.synchronize();
            List<Long> ofWeights = group.exchanges().stream()
                    .map(GroupExchange::type)
                    .filter(type -> type.shape().rank() == 2)
                    .map(type -> type.shape().elements())
                    .toList();
            assertEquals(List.of(12L, 20L, 30L), ofWeights, group::explain);
        }
    }
}
