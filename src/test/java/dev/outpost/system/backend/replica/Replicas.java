package dev.outpost.system.backend.replica;

import dev.outpost.rest.client.BackendAccess;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.Balancer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/** Two replicas behind one address, on a database that belongs to neither of them. */
final class Replicas implements AutoCloseable {
    private static final int COUNT = 2;

    private final Path folder;
    private final String[] variables;
    private final BackendHost keeper;
    private final Balancer balancer = Balancer.start();
    private final BackendHost[] running = new BackendHost[COUNT];

    private Replicas(Path folder, String... variables) {
        this.folder = folder;
        this.variables = variables;
        // A backend that is killed leaves its database running.
        this.keeper = BackendHost.start(folder.resolve("keeper"), variables);
        keeper.kill();
        for (int replica = 0; replica < COUNT; replica++) {
            start(replica);
        }
    }

    static Replicas start(Path folder, String... variables) {
        return new Replicas(folder, variables);
    }

    BackendAccess access() {
        return BackendAccess.of(balancer.address(), keeper.access().key());
    }

    /** The folder of machines on this host. */
    Path machines() {
        return folder.resolve("keeper").resolve("machines");
    }

    void start(int replica) {
        running[replica] = BackendHost.beside(keeper, folder.resolve("replica"), folder.resolve("keeper"), variables);
        balancer.add(port(replica));
    }

    /** Shuts a replica down like a rolling update: it gets no more connections, then it ends. */
    void stop(int replica) {
        balancer.remove(port(replica));
        running[replica].close();
        running[replica] = null;
    }

    /** Kills the process as {@code kill -9} does. */
    void kill(int replica) {
        running[replica].kill();
        balancer.remove(port(replica));
        running[replica] = null;
    }

    private int port(int replica) {
        return running[replica].access().address().getPort();
    }

    /** Also stops the database. */
    @Override
    public void close() {
        Arrays.stream(running).filter(Objects::nonNull).forEach(BackendHost::close);
        balancer.close();
        BackendHost.start(folder.resolve("keeper"), variables).close();
    }
}
