package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.provider.SharedAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import dev.outpost.system.MachineFiller;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SharedBackend;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** One machine of a backend that two programs use at the same time, each with its part of the memory. */
class SharedMachineTest {
    private static final Duration TIMEOUT = Await.GUARD;
    private static final long PART = 4L << 20;

    @Test
    void sharedMachineKeepsItsPromises() {
        try (BackendHost backend = SharedBackend.tenant()) {
            BackendClient client = backend.client();
            String id = UUID.randomUUID().toString();
            String path = "/v1/machines/" + id;
            client.put(path, Map.of("gpu", "any", "life", "PT10M"));
            Await.until(
                    () -> client.get(path).toString(),
                    () -> client.get(path).path("state").asText().equals("READY"));
            client.put(path + "/sharing", Map.of("mode", "SHARED", "memoryBytes", 2 * PART));
            SharedAccess ada = access(backend, id, GrantTerms.ALL.withMemoryBytes(PART));
            SharedAccess grace =
                    access(backend, id, GrantTerms.ALL.withMemoryBytes(PART).withWeight(300));
            assertRefused(backend, id, GrantTerms.ALL.withMemoryBytes(1), "0 of " + 2 * PART + " bytes are left");
            assertRefused(backend, id, GrantTerms.ALL, "name memoryBytes");
            SharedAccess watcher = access(backend, id, GrantTerms.ALL.withRole(Role.OBSERVE));
            try (RemoteMachine first = connect(ada);
                    RemoteMachine second = connect(grace)) {
                RuntimeException full = assertThrows(RuntimeException.class, () -> MachineFiller.fill(first, 20));
                assertTrue(full.getMessage().contains("of the grant"), full::getMessage);
                assertEquals(4.0, second.ones(4).sum().itemDouble(), "the other one has its part all the same");
            }
            RuntimeException observer = assertThrows(RuntimeException.class, () -> {
                try (RemoteMachine none = connect(watcher)) {
                    none.ones(1).sum().itemDouble();
                }
            });
            assertTrue(observer.getMessage().contains("opens no session"), observer::getMessage);
            client.post(path + ":end", Map.of());
        }
    }

    private static SharedAccess access(BackendHost backend, String id, GrantTerms terms) {
        return backend.provider()
                .keeper()
                .orElseThrow()
                .share(id, terms)
                .await()
                .atMost(TIMEOUT);
    }

    private static void assertRefused(BackendHost backend, String id, GrantTerms terms, String why) {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> access(backend, id, terms));
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }

    private static RemoteMachine connect(SharedAccess access) {
        return RemoteMachine.connect(access.endpoint(), new MachineOptions());
    }
}
