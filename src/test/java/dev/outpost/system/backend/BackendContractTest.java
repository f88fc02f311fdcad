package dev.outpost.system.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.Providers;
import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.SharedBackend;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the contract of every provider with a backend whose machines are processes. */
class BackendContractTest extends GpuProviderContract {
    private static BackendHost backend;

    @BeforeAll
    static void start() {
        backend = SharedBackend.tenant();
    }

    @AfterAll
    static void stop() {
        try (BackendHost ending = backend) {
            Await.until("no machine is left", () -> live() == 0);
        }
    }

    private static int live() {
        JsonNode machines = backend.client().get("/v1/machines");
        return machines.path("items").size();
    }

    @Override
    protected GpuProvider provider() {
        return backend.provider();
    }

    @Override
    protected Duration patience() {
        return Await.GUARD;
    }

    @Test
    void providerIsFoundOnTheClassPath() {
        assertInstanceOf(OutpostProvider.class, Providers.discover().find("outpost"));
    }

    @Test
    void providersNameIsOutpost() {
        assertEquals("outpost", provider().name());
    }
}
