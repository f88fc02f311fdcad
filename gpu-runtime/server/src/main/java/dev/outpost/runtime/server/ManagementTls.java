package dev.outpost.runtime.server;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/** Sets up TLS with the machine's certificate for the management port too, because it receives tokens. */
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
