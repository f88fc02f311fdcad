package dev.outpost.simulated.kubernetes.api;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

/** The ports of the API: one for the tested clients, and one for the test itself. */
public final class Doors implements AutoCloseable {
    private static final int FRONT_PORT = 6443;
    private static final int BACK_PORT = 6444;

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2).setWorkerPoolSize(8));
    private final FrontDoor front;
    private final Door back;

    /** Opens both ports on an address of this host. */
    public Doors(ApiServer server, ContainerLogs logs, String address) {
        HttpApi api = new HttpApi(server, logs, vertx);
        this.front = new FrontDoor(server, api, vertx, address, FRONT_PORT);
        this.back = new Door(vertx, address, BACK_PORT, http -> api.read(http, api::serve));
        back.open();
    }

    public FrontDoor front() {
        return front;
    }

    /** The URL at which requests meet no faults, are not counted and need no credentials. */
    public String backUrl() {
        return back.url();
    }

    @Override
    public void close() {
        front.close();
        back.close();
        Door.await(vertx.close());
    }
}
