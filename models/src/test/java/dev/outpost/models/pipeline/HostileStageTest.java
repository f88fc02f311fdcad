package dev.outpost.models.pipeline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.models.Fixtures;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.hostile.HostileAnswers;
import dev.outpost.runtime.hostile.HostilePeers;
import dev.outpost.runtime.peer.network.LocalPeerNetwork;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine that does not do what it was told is left out of its pipeline, by name, and the texts go on without it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileStageTest {
    private static final Sampling GREEDY = Sampling.greedy().maxTokens(12).ignoreEnd();
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    /** Messages that a machine takes: each exchange has room for some hundreds, and a text has some tens of exchanges under way. */
    private static final int MAX_MESSAGES = 50_000;

    private final LocalPeerNetwork network = new LocalPeerNetwork();
    private final HostilePeers peers = new HostilePeers(network);
    private final MockProvider honest = new MockProvider(MockSettings.STANDARD, network);
    private final MockProvider hostile = new MockProvider(MockSettings.STANDARD, peers);
    private final List<RemoteMachine> machines = new ArrayList<>();
    private int[] prompt;

    @BeforeEach
    void read() {
        prompt = Fixtures.ids(Fixtures.expected("llama").get("prompt"));
    }

    @AfterEach
    void stop() {
        peers.become(HostilePeers.Manner.HONEST);
        machines.forEach(machine -> Thread.ofVirtual().start(() -> close(machine)));
    }

    private static void close(RemoteMachine machine) {
        try {
            machine.close();
        } catch (OutpostException ignored) {
            // The test has lost it.
        }
    }

    private RemoteMachine start(MockProvider provider) {
        RemoteMachine machine = RemoteMachine.of(
                provider,
                "any",
                new MachineOptions()
                        .option("sources", "file:" + Fixtures.folder())
                        .lossTimeout(TIMEOUT));
        machines.add(machine);
        return machine.awaitReady();
    }

    private static PipelineLM load(List<RemoteMachine> over, int stages) {
        List<StageMachine> named = new ArrayList<>();
        for (RemoteMachine machine : over) {
            named.add(StageMachine.of(machine, "worker" + named.size()));
        }
        return load(named, stages, 256);
    }

    private static PipelineLM load(List<StageMachine> over, int stages, long textTokens) {
        return PipelineLM.load(
                over,
                Fixtures.uri("llama"),
                new DecoderPipelineOptions()
                        .stages(stages)
                        .textTokens(textTokens)
                        .timeout(TIMEOUT));
    }

    private int[] text(PipelineLM model) {
        return model.generate(List.of(prompt), GREEDY).toEnd().getFirst();
    }

    @ParameterizedTest
    @EnumSource(names = "HONEST", mode = EnumSource.Mode.EXCLUDE)
    void aMachineThatSendsOthersWhatItShouldNotIsLeftOut(HostilePeers.Manner manner, TestReporter reporter) {
        try (PipelineLM harmed = load(List.of(start(hostile), start(honest), start(honest)), 2);
                PipelineLM other = load(List.of(start(honest), start(honest)), 2)) {
            int[] whole = text(harmed);
            assertArrayEquals(whole, text(other));
            assertTrue(harmed.plan().getFirst().startsWith("worker0: "), () -> "" + harmed.plan());
            peers.become(manner);
            long start = System.nanoTime();
            Generation going = harmed.generate(List.of(prompt), GREEDY);
            assertArrayEquals(whole, text(other));
            assertArrayEquals(whole, going.toEnd().getFirst());
            reporter.publishEntry(manner + " ms", "" + (System.nanoTime() - start) / 1_000_000);
            assertEquals(1, harmed.leftOut().size(), () -> "" + harmed.leftOut());
            assertTrue(harmed.leftOut().getFirst().startsWith("worker0: "), () -> "" + harmed.leftOut());
            assertEquals(List.of(), harmed.lost());
            assertEquals(2, harmed.plan().size());
            assertTrue(harmed.plan().stream().noneMatch(part -> part.startsWith("worker0")), () -> "" + harmed.plan());
            assertArrayEquals(whole, text(harmed));
            assertEquals(List.of(), other.leftOut());
            assertTrue(peers.endlessMessages() < MAX_MESSAGES, () -> peers.endlessMessages() + " were taken");
        }
    }

    @Test
    void ofTwoMachinesTheOtherComputesAlone() {
        try (PipelineLM model = load(List.of(start(hostile), start(honest)), 2)) {
            int[] whole = text(model);
            peers.become(HostilePeers.Manner.WRONG_SHAPES);
            assertArrayEquals(whole, text(model));
            assertTrue(
                    model.leftOut()
                            .getFirst()
                            .startsWith("worker0: known values did not arrive from worker0 at worker1: "),
                    () -> "" + model.leftOut());
            assertEquals(1, model.plan().size());
        }
    }

    @Test
    void whereTheOthersHaveTooLittleMemoryASentenceSaysWhoIsLeftOut() {
        List<StageMachine> small = new ArrayList<>();
        for (RemoteMachine machine : List.of(start(hostile), start(honest))) {
            small.add(new StageMachine(
                    "worker" + small.size(),
                    machine,
                    Optional.empty(),
                    64L << 20,
                    () -> false,
                    Optional::empty,
                    () -> {}));
        }
        try (PipelineLM model = load(small, 2, 750_000)) {
            peers.become(HostilePeers.Manner.WRONG_SHAPES);
            OutpostException told = assertThrows(OutpostException.class, () -> text(model));
            assertTrue(told.getMessage().startsWith("lan: left out worker0: "), told::getMessage);
            assertTrue(told.getMessage().contains("too little memory"), told::getMessage);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HONEST", mode = EnumSource.Mode.EXCLUDE)
    void aMachineThatAnswersWhatItShouldNotIsLostAndTheTextGoesOn(HostileAnswers.Manner manner) {
        start(honest);
        HostileAnswers answers = new HostileAnswers(connector());
        RemoteMachine liar =
                RemoteMachine.connect(new Endpoint.InProcess(answers), new MachineOptions().lossTimeout(TIMEOUT));
        machines.add(liar);
        try (PipelineLM model = load(List.of(start(honest), liar, start(honest)), 2)) {
            int[] whole = text(model);
            answers.become(manner);
            assertArrayEquals(whole, text(model));
            assertEquals(List.of("worker1"), model.lost());
            Await.until("the machine that sends without end is cut off", answers::isCutOff);
        } finally {
            answers.repent();
        }
    }

    private FrameConnector connector() {
        String token = "the-token-of-the-one-who-is-lied-to";
        honest.machines().getFirst().grant(token, GrantTerms.ALL);
        return ((Endpoint.InProcess) honest.machines().getFirst().endpoint(token)).connector();
    }

    @Test
    void aPatienceThatIsNotPositiveIsRefused() {
        RuntimeException refused =
                assertThrows(RuntimeException.class, () -> new DecoderPipelineOptions().timeout(Duration.ZERO));
        assertTrue(refused.getMessage().contains("got PT0S"), refused::getMessage);
    }
}
