package dev.outpost.serving;

import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.LocalModels;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.gateway.GatewayModels;
import dev.outpost.serving.gateway.GatewayRequest;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Chooses the models of this process once: its own, or the deployments of a backend. */
@Dependent
public class ModelDirectoryProducer {
    @Produces
    @Singleton
    ModelDirectory directory(ServingConfig config, ServingMetrics metrics, GatewayRequest request) {
        return config.gateway() ? new GatewayModels(config, metrics, request) : new LocalModels(config, metrics);
    }
}
