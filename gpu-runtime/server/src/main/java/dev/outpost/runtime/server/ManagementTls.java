package dev.outpost.runtime.server;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/** The management port speaks TLS with the machine's certificate too, since tokens travel over it. */
@Singleton
public class ManagementTls implements HttpServerOptionsCustomizer {
    private final MachineIdentity identity;

    ManagementTls(MachineIdentity identity) {
        this.identity = identity;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        ServerTuning.secure(options, identity);
    }
}
