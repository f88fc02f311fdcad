package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MachineLostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests runtimes on this host that compute as a group and exchange over TLS. */
class ProcessGroupTest {
    private static final int SIZE = 2;

    @TempDir
    Path folder;

    @Test
    void processesComputeTheBitsOfMachinesInOneProcess() throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        try (var processes = MachineGroup.of(host.provider(), "any", SIZE, new MachineOptions());
                var mocks = MachineGroup.of("mock", "A100", SIZE)) {
            Await.within("both processes are there", processes::awaitReady);
            assertArrayEquals(computed(mocks), computed(processes));
            assertEquals(mocks.stats(), processes.stats());
        }
    }

    /** A product with a cut inner dimension, gathered and summed. */
    private static float[] computed(MachineGroup group) {
        Random random = new Random(3);
        Tensor left = group.sharded(matrix(random, 64, 301), 1);
        Tensor right = group.sharded(matrix(random, 301, 40), 0);
        Tensor product = left.matmul(right);
        return product.softmax(1).matmul(product.t()).toHost().toFloatArray();
    }

    private static HostTensor matrix(Random random, int rows, int columns) {
        float[] values = new float[rows * columns];
        for (int index = 0; index < values.length; index++) {
            values[index] = random.nextFloat();
        }
        return HostTensor.of(values, rows, columns);
    }

    @Test
    void aMemberThatIsKilledEndsTheGroupByItsName() throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        try (var group = MachineGroup.of(host.provider(), "any", SIZE, new MachineOptions())) {
            Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3}, 3), 0);
            assertEquals(6.0, x.sum().item());
            host.process(anyMachine(host)).destroyForcibly();
            MachineLostException lost = Await.within(
                    "the loss is told",
                    () -> assertThrows(MachineLostException.class, () -> {
                        while (true) {
                            x.sum().item();
                        }
                    }));
            assertTrue(lost.getMessage().contains("process-anyx2"), lost.getMessage());
        }
    }

    private static String anyMachine(ProcessHost host) throws IOException {
        try (Stream<Path> machines = Files.list(host.state())) {
            return machines.map(machine -> machine.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
