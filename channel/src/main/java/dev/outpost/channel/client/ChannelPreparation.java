package dev.outpost.channel.client;

import dev.outpost.channel.Trust;
import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.WatchRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Loads what connections need, before there is a machine to connect to: the first connection of a JVM takes about a second for that,
 * and a client waits while its machine starts. Thread-safe.
 */
public final class ChannelPreparation {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();
    private static final Trust NOBODY = new Trust.Pin("0".repeat(64));
    /** No program listens there (TCP port service multiplexer, RFC 1078), and the kernel refuses at once. */
    private static final int REFUSING_PORT = 1;

    private ChannelPreparation() {}

    /** Begins on a thread of its own, the first time that it is called. */
    public static void begin() {
        if (BEGUN.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("outpost-prepare").start(ChannelPreparation::callInVain);
        }
    }

    /** A call that is refused needs nearly all that one that is answered does. */
    private static void callInVain() {
        try {
            ManagedChannel channel = Channels.tls("127.0.0.1", REFUSING_PORT, NOBODY, "none", Optional.empty())
                    .open();
            try {
                RuntimeGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(1, TimeUnit.SECONDS)
                        .watch(WatchRequest.getDefaultInstance())
                        .hasNext();
            } finally {
                channel.shutdownNow();
            }
        } catch (IOException | StatusRuntimeException refused) {
            // As expected. What is wrong with the host's libraries is told by the first connection.
        }
    }
}
