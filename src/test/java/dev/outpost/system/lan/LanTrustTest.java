package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.lan.LanModel;
import dev.outpost.models.pipeline.DecoderPipelineOptions;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Worker.Pairing;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests workers that are unknown, have another certificate, or share a token or a name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanTrustTest {
    private static final String HERE = "127.0.0.1";
    private static final String TOKEN = "one-token-for-all-workers";

    @TempDir
    static Path folder;

    private final String name = unique("trust");
    private LanClient client;

    private static String unique(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    @BeforeAll
    void start() {
        client = LanClient.open(folder, HERE);
    }

    @AfterAll
    void stop() {
        client.close();
    }

    private static LanWorkerProcess.Start worker(String state, String name) {
        return LanWorkerProcess.Start.of(folder.resolve(state), name, HERE);
    }

    @Test
    void anUnknownWorkerIsRefusedUntilItIsPairedAndAgainWhenItsCertificateChanges() throws IOException {
        Worker paired;
        try (LanWorkerProcess first = worker("first", name).run()) {
            Worker unknown = client.awaitAnswering(name);
            assertEquals(Pairing.NEW, unknown.pairing());
            assertRefused("is not paired with this client: ./outpost workers pair " + name);
            IOException wrong =
                    assertThrows(IOException.class, () -> client.workers().pair(name, "0000-0000"));
            assertTrue(wrong.getMessage().contains("shows another code"), wrong::getMessage);
            paired = client.pair(name, first);
            assertComputes();
        }
        try (LanWorkerProcess second = worker("second", name).run()) {
            Worker changed = client.await(name, each -> each.pairing() == Pairing.CHANGED);
            assertNotEquals(paired.certificate(), changed.certificate());
            assertRefused("announces another certificate than the worker of that name");
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> LanModel.load(client.workers(), "hf://org/name"));
            assertTrue(refused.getMessage().contains("announces another certificate"), refused::getMessage);
            String certificate = changed.certificate().substring(0, 12);
            assertEquals(
                    Pairing.PAIRED,
                    client.workers().pair(certificate, second.code()).pairing());
            assertComputes();
            OutpostException tooMany = assertThrows(
                    OutpostException.class,
                    () -> LanModel.load(client.workers(), "hf://org/name", new DecoderPipelineOptions().stages(99)));
            assertTrue(tooMany.getMessage().startsWith("lan: expected 99 workers"), tooMany::getMessage);
        }
    }

    private void assertComputes() {
        try (RemoteMachine machine = machine()) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
    }

    private RemoteMachine machine() {
        return RemoteMachine.of("lan", "any", new MachineOptions().option("worker", name));
    }

    private void assertRefused(String expected) {
        OutpostException refused = assertThrows(OutpostException.class, () -> {
            try (RemoteMachine machine = machine()) {
                machine.awaitReady();
            }
        });
        assertTrue(refused.getMessage().contains(expected), refused::getMessage);
    }

    @Test
    @Tag("full")
    void workersThatShareATokenAndANameArePairedByTheirCertificates() throws IOException {
        String shared = unique("shared");
        String token = "OUTPOST_RUNTIME_LAN_TOKEN=" + TOKEN;
        try (LanWorkerProcess one = worker("s1", shared).with(token).launch();
                LanWorkerProcess other = worker("s2", shared).with(token).launch()) {
            Await.until(
                    () -> "both among " + client.workers().list(),
                    () -> client.named(shared).size() == 2
                            && client.named(shared).stream()
                                    .allMatch(each -> each.latency().isPresent()));
            List<Worker> both = client.named(shared);
            IOException refused =
                    assertThrows(IOException.class, () -> client.workers().pair(shared, TOKEN));
            assertTrue(refused.getMessage().contains("2 workers are called " + shared), refused::getMessage);
            String certificate = both.getFirst().certificate();
            assertThrows(
                    IOException.class,
                    () -> client.workers().pair(certificate.substring(0, 12), TOKEN + "-but-another"));
            Worker paired = client.pairAfterPause(certificate.substring(0, 12), TOKEN);
            assertEquals(certificate, paired.certificate());
            assertTrue(paired.isUsable(), paired::refusal);
            assertTrue(one.isAlive() && other.isAlive());
        }
    }
}
