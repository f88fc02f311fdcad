package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.serving.engine.LocalModels;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

/** A server is ready when its models are loaded and warmed up, and tells before what it waits for. */
class ModelsReadyTest {
    @Test
    void serverIsNotReadyBeforeItsModelsAreLoaded() throws Exception {
        LocalModels models = new LocalModels(
                TestModels.config(Map.of("model", "text=" + TestModels.text(), "text-tokens", "256")),
                new ServingMetrics(new SimpleMeterRegistry()));
        ModelsReady ready = new ModelsReady(models);
        HealthCheckResponse before = ready.call();
        assertEquals(HealthCheckResponse.Status.DOWN, before.getStatus());
        assertEquals("the model is being loaded", before.getData().orElseThrow().get("reason"));
        UnavailableException refused = assertThrows(UnavailableException.class, () -> models.generating("text"));
        assertTrue(refused.getMessage().contains("the model is being loaded"), refused.getMessage());
        CompletableFuture<List<String>> loaded = new CompletableFuture<>();
        models.start(loaded::complete);
        assertEquals(List.of("text"), Await.result("the model is loaded", loaded));
        assertEquals(HealthCheckResponse.Status.UP, ready.call().getStatus());
        assertEquals("text", models.generating("text").name());
        models.close();
        assertEquals(HealthCheckResponse.Status.DOWN, ready.call().getStatus());
    }
}
