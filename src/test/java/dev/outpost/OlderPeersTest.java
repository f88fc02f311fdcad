package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.optim.AdamW;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests this build against itself with the versions and features of a build that is one minor version older or newer. */
@Tag("quick")
class OlderPeersTest {
    private static final ProtocolVersions OLDER = ProtocolVersions.CURRENT.upTo(ProtocolVersions.CURRENT.newest() - 1);
    private static final ProtocolVersions NEWER = new ProtocolVersions(
            ProtocolVersions.CURRENT.newest(),
            ProtocolVersions.CURRENT.newest() + 1,
            ProtocolVersions.CURRENT.features());
    private static final ProtocolVersions TOO_NEW = new ProtocolVersions(
            ProtocolVersions.CURRENT.newest() + 1,
            ProtocolVersions.CURRENT.newest() + 2,
            ProtocolVersions.CURRENT.features());

    private enum Build {
        OLDER(OlderPeersTest.OLDER),
        CURRENT(ProtocolVersions.CURRENT),
        NEWER(OlderPeersTest.NEWER),
        BARE(ProtocolVersions.CURRENT.without(ProtocolVersions.CURRENT.features()));

        private final ProtocolVersions versions;

        Build(ProtocolVersions versions) {
            this.versions = versions;
        }
    }

    private static RemoteMachine machine(ProtocolVersions client, ProtocolVersions runtime, MachineOptions options) {
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withDialect(runtime));
        return RemoteMachine.of(provider, "A100", options.speaking(client));
    }

    @ParameterizedTest
    @CsvSource({
        "CURRENT, OLDER",
        "OLDER, CURRENT",
        "OLDER, OLDER",
        "CURRENT, NEWER",
        "NEWER, CURRENT",
        "CURRENT, BARE",
        "BARE, CURRENT"
    })
    void aTrainingRunIsTheSame(Build client, Build runtime) {
        byte[] expected = train(ProtocolVersions.CURRENT, ProtocolVersions.CURRENT);
        assertArrayEquals(expected, train(client.versions, runtime.versions));
    }

    private static byte[] train(ProtocolVersions client, ProtocolVersions runtime) {
        try (RemoteMachine machine = machine(client, runtime, new MachineOptions())) {
            machine.manualSeed(7);
            Linear model = new Linear(80, 4);
            model.to(machine);
            AdamW optimizer = new AdamW(model.parameters(), 1e-2);
            Tensor x = machine.tensor(HostTensor.of(new float[32 * 80], 32, 80)).add(0.5);
            Tensor y = machine.randint(0, 4, 32);
            for (int step = 0; step < 3; step++) {
                optimizer.zeroGrad();
                Functional.crossEntropy(model.forward(x), y).backward();
                optimizer.step();
            }
            // Large enough for the bulk lane.
            machine.randn(100, 100).toHost();
            return model.parameters().get(0).tensor().toHost().bytes();
        }
    }

    @Test
    void anOlderMachineExplains() {
        try (RemoteMachine machine = machine(ProtocolVersions.CURRENT, OLDER, new MachineOptions())) {
            assertTrue(machine.ones(2, 2).add(1).explain().toString().contains("add"));
        }
    }

    @Test
    void useOfAMissingFeatureIsRefusedWithTheVersion() {
        ProtocolVersions lacking = OLDER.without(Set.of(Feature.EXPLAIN));
        try (RemoteMachine machine = machine(ProtocolVersions.CURRENT, lacking, new MachineOptions())) {
            Tensor sum = machine.ones(2, 2).add(1);
            OutpostException refused = assertThrows(OutpostException.class, sum::explain);
            assertEquals(FaultKind.EXTERNAL, refused.kind());
            assertTrue(
                    refused.getMessage()
                            .contains(
                                    "the machine speaks protocol 8.0 and does not tell how values are computed; use a newer"),
                    refused::getMessage);
            assertEquals(8.0, sum.sum().itemDouble(), "the session goes on");
        }
    }

    @Test
    void aMachineThatCannotSaveItsStateIsNotPaused() {
        ProtocolVersions lacking = ProtocolVersions.CURRENT.without(Set.of(Feature.SAVED_STATES));
        MachineOptions options = new MachineOptions().store("file:/states");
        try (RemoteMachine machine = machine(ProtocolVersions.CURRENT, lacking, options)) {
            Tensor x = machine.ones(2, 2);
            OutpostException refused = assertThrows(OutpostException.class, machine::pause);
            assertTrue(
                    refused.getMessage().contains("speaks protocol 8.1 and cannot be paused or resumed; use a newer"),
                    refused::getMessage);
            assertEquals(4.0, x.sum().itemDouble(), "the session goes on");
        }
    }

    @Test
    void aProfileShowsTheProgramAloneWhereTheMachineTellsNothing(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("trace.json");
        ProtocolVersions lacking = OLDER.without(Set.of(Feature.TRACE));
        MachineOptions patient = new MachineOptions().profile(file).closeLimit(Duration.ofHours(1));
        RemoteMachine machine = machine(ProtocolVersions.CURRENT, lacking, patient);
        machine.ones(2, 2).add(1).sum().item();
        Await.within("closing waits for no trace", machine::close);
        String trace = Files.readString(file);
        assertTrue(trace.contains("\"frame\""));
        assertFalse(trace.contains("\"round trip\""));
    }

    @ParameterizedTest
    @CsvSource({
        "true, 'the client speaks protocol 8.0 to 8.1, this machine 8.2 to 8.3'",
        "false, 'the client speaks protocol 8.2 to 8.3, this machine 8.0 to 8.1'"
    })
    void aRefusalSaysWhichVersionsWouldDo(boolean isMachineNewer, String sentence) {
        ProtocolVersions client = isMachineNewer ? ProtocolVersions.CURRENT : TOO_NEW;
        ProtocolVersions runtime = isMachineNewer ? TOO_NEW : ProtocolVersions.CURRENT;
        try (RemoteMachine machine = machine(client, runtime, new MachineOptions())) {
            OutpostException refused = assertThrows(OutpostException.class, machine::awaitReady);
            assertTrue(refused.getMessage().contains(sentence), refused::getMessage);
            assertEquals(FaultKind.USER, refused.kind());
        } catch (OutpostException failure) {
            // Closing repeats the reason for which there was no machine.
            assertTrue(failure.getMessage().contains(sentence), failure::getMessage);
        }
    }
}
