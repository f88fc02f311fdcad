package dev.outpost.simulated.kubernetes.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.simulated.kubernetes.node.Addresses;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DoorTest {
    private static final int OFTEN = 300;
    private static final int PORT = 6443;

    @Test
    void opensAgainRightAfterItWasClosed() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (Addresses addresses = Addresses.take()) {
            Door door = new Door(
                    vertx, addresses.ofServer(), PORT, http -> http.response().end());
            int opened = 0;
            for (int i = 0; i < OFTEN; i++) {
                door.open();
                opened += reaches(door) ? 1 : 0;
                door.close();
            }
            assertEquals(OFTEN, opened);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
    }

    private static boolean reaches(Door door) throws IOException {
        URI url = URI.create(door.url());
        try (Socket visitor = new Socket(url.getHost(), url.getPort())) {
            return visitor.isConnected();
        } catch (ConnectException ignored) {
            return false;
        }
    }
}
