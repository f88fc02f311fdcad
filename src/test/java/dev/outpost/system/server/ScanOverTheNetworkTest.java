package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.system.server.CuttingProxy.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A scan in another process, over a network that breaks while it runs: each run happens once and emits once. */
class ScanOverTheNetworkTest {
    private static final int RUNS = 4000;

    @Test
    void aScanGoesOnWhereTheNetworkBreaks() {
        try (CuttingProxy proxy = new CuttingProxy(RuntimeProcess.shared());
                RemoteMachine machine =
                        RemoteMachine.connect(RuntimeProcess.shared().remote(proxy.port()), new MachineOptions())) {
            machine.awaitReady();
            Tensor total = machine.tensor(new long[] {0});
            Program program = machine.program(in -> {
                total.add_(1);
                Tensor next = in.get(0).add(in.get(1));
                return List.of(next, next.add(total));
            });
            Scan scan = machine.scan(program, List.of(machine.scalar(0)), RUNS);
            List<Long> emitted = new ArrayList<>();
            for (List<HostTensor> each : scan.emissions()) {
                emitted.add(each.getFirst().getLong(0));
                if (emitted.size() == 100) {
                    proxy.cut();
                } else if (emitted.size() == 1500) {
                    proxy.cutAfter(Direction.TO_CLIENT, 700);
                }
            }
            assertTrue(proxy.cuts() == 2, () -> "the network broke " + proxy.cuts() + " times");
            assertEquals(
                    LongStream.range(0, RUNS)
                            .map(run -> run * (run + 1) / 2 + run + 1)
                            .boxed()
                            .toList(),
                    emitted);
            assertEquals(RUNS, total.itemLong());
            assertEquals(RUNS * (RUNS - 1L) / 2, scan.carry().getFirst().itemLong());
        }
    }
}
