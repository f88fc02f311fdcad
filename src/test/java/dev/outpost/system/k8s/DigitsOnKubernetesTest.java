package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.simulated.kubernetes.node.ProcessRunner;
import dev.outpost.system.server.RuntimeCommandLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The digits demo on a machine of a cluster is, bit for bit, the one in this process. */
@Tag("real-cluster")
class DigitsOnKubernetesTest {
    private static final int EPOCHS = 3;

    /** Losses and accuracies of the epochs, and the final weights. */
    private record Outcome(List<DigitsTraining.Epoch> epochs, List<byte[]> weights) {}

    @TempDir
    private Path folder;

    private final Provided provided = Provided.quick();
    private final Map<String, String> before = new HashMap<>();

    @AfterEach
    void close() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
        provided.close();
    }

    /** Only a kubeconfig and settings are known, as for a user. The machine is a separate process. */
    @Test
    void byNameAlone() {
        provided.levers().runWith(new ProcessRunner(RuntimeCommandLine.plain()));
        set("kubeconfig", provided.cluster.kubeconfig(folder.resolve("config")).toString());
        provided.cluster.options().forEach((name, value) -> set(SettingsReader.PREFIX + name, value));
        assertTrainsOn(RemoteMachine.of("k8s", "A100"));
        provided.awaitNothingLeft();
    }

    @Test
    void byTheUsualWay() {
        assertTrainsOn(RemoteMachine.of(provided.provider, "A100", new MachineOptions()));
        provided.awaitNothingLeft();
    }

    @Test
    void throughAForwardedPort() {
        MachineOptions forwarded = new MachineOptions().option("endpoint", "port-forward");
        assertTrainsOn(RemoteMachine.of(provided.provider, "A100", forwarded));
        provided.awaitNothingLeft();
    }

    private void set(String property, String value) {
        before.put(property, System.getProperty(property));
        System.setProperty(property, value);
    }

    private static void assertTrainsOn(RemoteMachine machine) {
        Outcome expected = train(RemoteMachine.of("mock", "any"));
        Outcome actual = train(machine);
        assertEquals(expected.epochs, actual.epochs);
        for (int index = 0; index < expected.weights.size(); index++) {
            assertArrayEquals(expected.weights.get(index), actual.weights.get(index), "parameter " + index);
        }
    }

    private static Outcome train(RemoteMachine opened) {
        try (RemoteMachine machine = opened) {
            List<DigitsTraining.Epoch> epochs = new ArrayList<>();
            DigitsTraining training = new DigitsTraining(machine, 0);
            training.run(EPOCHS, epochs::add);
            return new Outcome(
                    epochs,
                    training.model().parameters().stream()
                            .map(parameter -> parameter.tensor().toHost().bytes())
                            .toList());
        }
    }
}
