package dev.outpost.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.io.Npy;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.hostile.HostileAnswers;
import dev.outpost.runtime.hostile.HostilePeers;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A misbehaving machine harms only its own pipeline. */
class HostileWorkerTest {
    private static final Path MODELS = Path.of("src/test/resources/models");
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration NOTICED = Duration.ofSeconds(30);

    private static final LocalPeerNetwork NETWORK = new LocalPeerNetwork();
    private static final MockProvider PROVIDER_OF_OTHERS = new MockProvider(MockSettings.STANDARD, NETWORK);
    /** Machines of the same network that no test harms. */
    private static final List<RemoteMachine> OTHERS = new ArrayList<>();

    /** A pipeline over the other machines, which is open all the time. */
    private static OnnxPipeline other;

    private final HostilePeers peers = new HostilePeers(NETWORK);
    private final MockProvider honest = new MockProvider(MockSettings.STANDARD, NETWORK);
    private final MockProvider hostile = new MockProvider(MockSettings.STANDARD, peers);
    private final List<RemoteMachine> machines = new ArrayList<>();
    private Map<String, HostTensor> inputs;

    @BeforeAll
    static void startOthers() {
        for (int machine = 0; machine < 2; machine++) {
            OTHERS.add(RemoteMachine.of(PROVIDER_OF_OTHERS, "any", new MachineOptions())
                    .awaitReady());
        }
        other = open(OTHERS);
    }

    @AfterAll
    static void stopOthers() {
        other.close();
        OTHERS.forEach(RemoteMachine::close);
    }

    @BeforeEach
    void read() throws IOException {
        inputs = Map.of("in0", Npy.read(MODELS.resolve("residual.in0.npy")));
    }

    @AfterEach
    void stop() {
        peers.become(HostilePeers.Manner.HONEST);
        // A goodbye to a silent machine takes ten seconds, for which no test has to wait.
        machines.forEach(machine -> Thread.ofVirtual().start(() -> close(machine)));
    }

    private static void close(RemoteMachine machine) {
        try {
            machine.close();
        } catch (OutpostException ignored) {
            // It was.
        }
    }

    private RemoteMachine start(MockProvider provider) {
        return kept(RemoteMachine.of(provider, "any", new MachineOptions()).awaitReady());
    }

    private RemoteMachine kept(RemoteMachine machine) {
        machines.add(machine);
        return machine;
    }

    private static OnnxPipeline open(List<RemoteMachine> over) {
        return OnnxPipeline.over(
                over,
                MODELS.resolve("residual.onnx").toString(),
                new OnnxPipelineOptions().stages(over.size()).timeout(TIMEOUT));
    }

    private byte[] run(OnnxPipeline pipeline) {
        return pipeline.run(inputs).tensor("out0").bytes();
    }

    @ParameterizedTest
    @EnumSource(names = "HONEST", mode = EnumSource.Mode.EXCLUDE)
    void aMachineThatSendsOthersWhatItShouldNotIsLeftOut(HostilePeers.Manner manner) {
        try (OnnxPipeline harmed = open(List.of(start(hostile), start(honest), start(honest)))) {
            byte[] whole = run(harmed);
            assertArrayEquals(whole, run(other));
            peers.become(manner);
            PipelineRun moving = harmed.runAsync(inputs);
            assertArrayEquals(whole, run(other));
            assertArrayEquals(whole, moving.await().tensor("out0").bytes());
            assertEquals(1, harmed.leftOut().size(), () -> "" + harmed.leftOut());
            assertTrue(harmed.leftOut().getFirst().matches("(?s)mock-any(#\\d+)?-0: .*"), () -> "" + harmed.leftOut());
            assertEquals(List.of(), harmed.lost());
            assertEquals(2, harmed.plan().workers().size());
            assertArrayEquals(whole, run(other));
            assertArrayEquals(whole, run(harmed));
        }
    }

    /** Two machines, one of which misbehaves: the stages have room on the other one. */
    @ParameterizedTest
    @EnumSource(names = {"WRONG_SHAPES", "SILENCE"})
    void theOtherOfTwoMachinesComputesAlone(HostilePeers.Manner manner) {
        leaveOneOfTwo(manner);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRONG_TYPES", "ENDLESS_DATA"})
    @Tag("full")
    void theOtherOfTwoMachinesComputesAloneInFurtherCases(HostilePeers.Manner manner) {
        leaveOneOfTwo(manner);
    }

    private void leaveOneOfTwo(HostilePeers.Manner manner) {
        try (OnnxPipeline harmed = open(List.of(start(hostile), start(honest)))) {
            byte[] whole = run(harmed);
            peers.become(manner);
            assertArrayEquals(whole, run(harmed));
            assertTrue(harmed.leftOut().getFirst().matches("(?s)mock-any(#\\d+)?-0: .*"), () -> "" + harmed.leftOut());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HONEST", mode = EnumSource.Mode.EXCLUDE)
    void aMachineThatAnswersWhatItShouldNotIsLostToItsPipelineAlone(HostileAnswers.Manner manner) {
        HostileAnswers answers = new HostileAnswers(connector(PROVIDER_OF_OTHERS, 0));
        try (OnnxPipeline harmed = open(List.of(start(honest), liar(answers)))) {
            byte[] whole = run(harmed);
            answers.become(manner);
            PipelineRun harmedRun = harmed.runAsync(inputs);
            assertArrayEquals(whole, run(other));
            if (manner == HostileAnswers.Manner.SILENCE) {
                assertArrayEquals(whole, harmedRun.await().tensor("out0").bytes());
            } else {
                OutpostException told = assertThrows(OutpostException.class, harmedRun::await);
                assertTrue(
                        PlainNames.in(told.getMessage()).startsWith("endpoint-any: malformed input: "),
                        told::getMessage);
            }
            awaitLoss(harmed);
            assertEquals(List.of("endpoint-any-1"), harmed.lost());
            assertArrayEquals(whole, run(harmed));
            assertArrayEquals(whole, run(other));
            Await.until("the machine that sends without end is cut off", answers::isCutOff);
        } finally {
            answers.repent();
        }
    }

    private static void awaitLoss(OnnxPipeline pipeline) {
        Await.until("a machine is lost", () -> !pipeline.lost().isEmpty());
    }

    private RemoteMachine liar(HostileAnswers answers) {
        return kept(RemoteMachine.connect(
                new Endpoint.InProcess(answers),
                new MachineOptions().readLimit(NOTICED.dividedBy(2)).lossTimeout(TIMEOUT)));
    }

    private static FrameConnector connector(MockProvider provider, int machine) {
        String token = "the-token-of-the-one-who-is-lied-to";
        provider.machines().get(machine).grant(token, GrantTerms.ALL);
        return ((Endpoint.InProcess) provider.machines().get(machine).endpoint(token)).connector();
    }

    @Test
    void aPatienceThatIsNotPositiveIsRefused() {
        RuntimeException refused =
                assertThrows(RuntimeException.class, () -> new OnnxPipelineOptions().timeout(Duration.ZERO));
        assertTrue(refused.getMessage().contains("got PT0S"), refused::getMessage);
    }
}
