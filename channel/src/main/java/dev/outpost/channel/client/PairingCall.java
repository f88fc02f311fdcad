package dev.outpost.channel.client;

import dev.outpost.channel.rpc.PairMessage;
import dev.outpost.channel.rpc.RuntimeGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The call that pairs a client with a machine. Each message has one answer. Used by one thread. */
public final class PairingCall implements AutoCloseable {
    private static final int MAX_WAITING = 8;

    private final String name;
    private final ManagedChannel channel;
    private final Duration timeout;
    private final long end;
    /** The received messages, and a {@link Status} after the end of the call. */
    private final BlockingQueue<Object> heard = new ArrayBlockingQueue<>(MAX_WAITING);

    private final StreamObserver<PairMessage> out;

    private PairingCall(String name, ManagedChannel channel, Duration timeout) {
        this.timeout = timeout;
        this.name = name;
        this.channel = channel;
        this.end = System.nanoTime() + timeout.toNanos();
        this.out = RuntimeGrpc.newStub(channel).pair(new StreamObserver<>() {
            @Override
            public void onNext(PairMessage message) {
                heard.offer(message);
            }

            @Override
            public void onError(Throwable failed) {
                heard.offer(Status.fromThrowable(failed));
            }

            @Override
            public void onCompleted() {
                heard.offer(Status.OK);
            }
        });
    }

    /**
     * Opens the call.
     *
     * @param timeout the maximum time of the whole call
     */
    public static PairingCall open(Channels channels, Duration timeout) throws IOException {
        return new PairingCall(channels.name(), channels.open(), timeout);
    }

    /** Sends a message and waits for the answer. Throws {@link IOException} if the machine refuses. */
    public PairMessage ask(PairMessage message) throws IOException {
        out.onNext(message);
        try {
            return switch (heard.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                case PairMessage answer -> answer;
                case Status status -> throw CallFailure.of(name, status);
                case null ->
                    throw new IOException(
                            name + " did not answer within " + timeout.toSeconds() + " s; it may be busy: try again");
                default -> throw new IllegalStateException("neither a message nor an end");
            };
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while pairing", interrupted);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
