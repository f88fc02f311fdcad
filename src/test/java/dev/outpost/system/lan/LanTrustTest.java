package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.models.lan.LanModel;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Worker.Pairing;
import dev.outpost.system.Eventually;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Workers that are unknown, that have another certificate, that share a name, and announcements that make no sense. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanTrustTest {
    private static final String HERE = "127.0.0.1";
    private static final String SERVICE = "_outpost._tcp.local.";
    private static final Duration HEARD = Duration.ofSeconds(40);

    @TempDir
    static Path folder;

    private final String name = "trust-" + UUID.randomUUID().toString().substring(0, 8);
    private LanWorkerProcess worker;
    private LanClient client;

    @BeforeAll
    void start() {
        worker = LanWorkerProcess.Start.of(folder.resolve("first"), name, HERE).run();
        client = LanClient.open(folder, HERE);
    }

    @AfterAll
    void stop() {
        client.close();
        worker.close();
    }

    @Test
    void anUnknownWorkerIsRefusedUntilItIsPairedAndAgainWhenItsCertificateChanges() throws IOException {
        Worker unknown = client.awaitAnswering(name);
        assertEquals(Pairing.NEW, unknown.pairing());
        assertTrue(
                refusal(name).contains("is not paired with this client: ./outpost workers pair " + name),
                refusal(name));
        assertThrows(IOException.class, () -> client.workers().pair(name, "0000-0000"));
        Worker paired = client.pair(name, worker);
        try (RemoteMachine machine = machine(name)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
        worker.terminate();
        worker = LanWorkerProcess.Start.of(folder.resolve("second"), name, HERE).run();
        Worker changed = client.await(name, each -> each.pairing() == Pairing.CHANGED);
        assertNotEquals(paired.certificate(), changed.certificate());
        assertTrue(refusal(name).contains("announces another certificate than the worker of that name"), refusal(name));
        OutpostException refused =
                assertThrows(OutpostException.class, () -> LanModel.load(client.workers(), "hf://org/name"));
        assertTrue(refused.getMessage().contains("announces another certificate"), refused.getMessage());
        Eventually.that(
                "the announcement of the first one is gone",
                HEARD,
                () -> client.named(name).size() == 1);
        assertEquals(Pairing.PAIRED, client.pair(name, worker).pairing());
    }

    private static RemoteMachine machine(String name) {
        return RemoteMachine.of("lan", "any", new MachineOptions().option("worker", name));
    }

    private static String refusal(String name) {
        return assertThrows(OutpostException.class, () -> {
                    try (RemoteMachine machine = machine(name)) {
                        machine.awaitReady();
                    }
                })
                .getMessage();
    }

    @Test
    void ofWorkersThatShareANameOneIsToldByItsCertificate() throws IOException {
        String shared = "shared-" + UUID.randomUUID().toString().substring(0, 8);
        try (LanWorkerProcess one = LanWorkerProcess.Start.of(folder.resolve("s1"), shared, HERE)
                        .run();
                LanWorkerProcess other = LanWorkerProcess.Start.of(folder.resolve("s2"), shared, HERE)
                        .run()) {
            Eventually.that(
                    () -> "both among " + client.named(shared),
                    HEARD,
                    () -> client.named(shared).size() == 2
                            && client.named(shared).stream()
                                    .allMatch(each -> each.latency().isPresent()));
            List<Worker> both = client.named(shared);
            IOException refused =
                    assertThrows(IOException.class, () -> client.workers().pair(shared, one.code()));
            assertTrue(refused.getMessage().contains("2 workers are called " + shared), refused.getMessage());
            Worker paired = pairEither(both.getFirst().certificate().substring(0, 12), one, other);
            assertEquals(both.getFirst().certificate(), paired.certificate());
            assertTrue(paired.isUsable());
        }
    }

    /** Which of the two processes has the certificate is not known, so the codes of both are tried. */
    private Worker pairEither(String certificate, LanWorkerProcess one, LanWorkerProcess other) throws IOException {
        try {
            return client.workers().pair(certificate, one.code());
        } catch (IOException wrongCode) {
            return client.workers().pair(certificate, other.code());
        }
    }

    @Test
    void announcementsThatMakeNoSenseAreLeftOutWithTheReason() throws IOException {
        String prefix = "junk-" + UUID.randomUUID().toString().substring(0, 8);
        Random random = new Random(11);
        try (JmDNS network = JmDNS.create(InetAddress.getByName(HERE), prefix)) {
            network.registerService(ServiceInfo.create(SERVICE, prefix + "-empty", 4321, ""));
            network.registerService(
                    ServiceInfo.create(SERVICE, prefix + "-version", 4321, 0, 0, Map.of("v", "99", "name", "x")));
            for (int round = 0; round < 8; round++) {
                network.registerService(ServiceInfo.create(SERVICE, prefix + round, 4321, 0, 0, nonsense(random)));
            }
            Eventually.that(
                    () -> "nine reasons among " + client.workers().refused(),
                    HEARD,
                    () -> client.workers().refused().stream()
                                    .filter(reason -> reason.startsWith(prefix))
                                    .count()
                            >= 9);
            assertTrue(client.workers().refused().stream()
                    .anyMatch(reason -> reason.startsWith(prefix + "-version: ") && reason.contains("expected v=1")));
            assertTrue(client.workers().list().stream()
                    .noneMatch(each -> each.name().startsWith("x")));
        }
        assertTrue(client.awaitAnswering(name).latency().isPresent());
    }

    private static Map<String, byte[]> nonsense(Random random) {
        Map<String, byte[]> entries = new HashMap<>();
        entries.put("v", new byte[] {'1'});
        for (String key : List.of("name", "engine", "gpu", "memory", "free", "sha256")) {
            byte[] value = new byte[random.nextInt(60)];
            random.nextBytes(value);
            entries.put(key, value);
        }
        return entries;
    }
}
