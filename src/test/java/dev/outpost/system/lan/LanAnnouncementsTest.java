package dev.outpost.system.lan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
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

/** Tests malformed announcements beside a worker with a correct one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LanAnnouncementsTest {
    private static final String HERE = "127.0.0.1";
    private static final String SERVICE = "_outpost._tcp.local.";

    @TempDir
    static Path folder;

    private final String name = "sane-" + UUID.randomUUID().toString().substring(0, 8);
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
            Await.until(
                    () -> "nine reasons among " + client.workers().refused(),
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
