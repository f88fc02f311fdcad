package dev.outpost.provider.lan;

import dev.outpost.channel.client.Channels;
import dev.outpost.channel.client.MachineWatch;
import dev.outpost.provider.Endpoint;
import dev.outpost.types.OutpostException;
import java.time.Duration;

/**
 * Receives a message from the worker twice a second, even while it computes. A host that loses power or its network sends no notice, so
 * silence is the only sign. Thread-safe.
 */
public final class WorkerHeartbeat implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(500);

    private final Channels channels;
    private final Thread thread;
    private volatile long heard = System.nanoTime();
    private volatile boolean isClosed;

    private WorkerHeartbeat(Endpoint.Remote endpoint) {
        this.channels = Channels.tls(
                endpoint.host(),
                endpoint.port(),
                endpoint.trust(),
                endpoint.token(),
                endpoint.serverName().orElse(null));
        this.thread = Thread.ofPlatform().daemon().name("outpost-lan-watch").unstarted(this::listen);
    }

    /** Starts to listen. Refuses a worker that this client is not paired with. */
    public static WorkerHeartbeat start(Worker worker) {
        WorkerHeartbeat watch = new WorkerHeartbeat(worker.endpoint());
        watch.thread.start();
        return watch;
    }

    /** Returns the time since the last message of the worker. */
    public Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heard);
    }

    private void listen() {
        while (!isClosed) {
            try (MachineWatch watch = MachineWatch.open(channels, INTERVAL, false)) {
                while (!isClosed && watch.next() != null) {
                    heard = System.nanoTime();
                }
            } catch (OutpostException ignored) {
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(INTERVAL);
        } catch (InterruptedException interrupted) {
            isClosed = true;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
    }
}
