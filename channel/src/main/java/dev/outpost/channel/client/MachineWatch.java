package dev.outpost.channel.client;

import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.channel.rpc.WatchRequest;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Watches a machine from outside: the values and activity of all its sessions. Opens no session itself. */
public final class MachineWatch implements AutoCloseable {
    /** The delay after which a snapshot counts as failed. gRPC itself detects a broken transport sooner. */
    private static final Duration LATE = Duration.ofSeconds(30);

    private final String name;
    private final ManagedChannel channel;
    private final Duration timeout;
    private final Snapshots heard = new Snapshots();

    private MachineWatch(
            String name, ManagedChannel channel, RuntimeGrpc.RuntimeStub stub, WatchRequest request, Duration timeout) {
        this.name = name;
        this.channel = channel;
        this.timeout = timeout;
        stub.watch(request, heard);
    }

    /** Requests one snapshot at a time from the machine. Queues the snapshots and the end of the call. */
    private static final class Snapshots implements ClientResponseObserver<WatchRequest, Snapshot> {
        private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        private volatile @Nullable ClientCallStreamObserver<WatchRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> begun) {
            call = begun;
            begun.disableAutoRequestWithInitial(1);
        }

        @Override
        public void onNext(Snapshot snapshot) {
            queue.add(snapshot);
        }

        @Override
        public void onError(Throwable failed) {
            queue.add(Status.fromThrowable(failed));
        }

        @Override
        public void onCompleted() {
            queue.add(Status.OK);
        }
    }

    /**
     * Starts to watch a machine.
     *
     * @param interval the time between snapshots; the machine uses at least 100 ms
     * @param instructions true to also receive the programs that sessions run
     * @throws OutpostException of kind external if the machine cannot be reached
     */
    public static MachineWatch open(Channels channels, Duration interval, boolean instructions) {
        try {
            return open(channels.name(), channels.open(), channels.headers(), interval, instructions, LATE);
        } catch (IOException failure) {
            throw new OutpostException(FaultKind.USER, channels.name() + ": " + failure.getMessage(), failure);
        }
    }

    static MachineWatch open(
            String name,
            ManagedChannel channel,
            Metadata headers,
            Duration interval,
            boolean instructions,
            Duration late) {
        WatchRequest request = WatchRequest.newBuilder()
                .setIntervalMillis((int) interval.toMillis())
                .setInstructions(instructions)
                .build();
        RuntimeGrpc.RuntimeStub stub =
                RuntimeGrpc.newStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        return new MachineWatch(name, channel, stub, request, interval.plus(late));
    }

    /**
     * Waits for the next snapshot. Returns null if the machine has ended the watch.
     *
     * @throws OutpostException of kind external if the watch has failed, or if a snapshot is half a minute late
     */
    public @Nullable Snapshot next() {
        try {
            return switch (heard.queue.poll(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                case Snapshot snapshot -> {
                    Objects.requireNonNull(heard.call).request(1);
                    yield snapshot;
                }
                case Status status -> {
                    heard.queue.add(status);
                    if (status.isOk()) {
                        yield null;
                    }
                    throw new OutpostException(FaultKind.EXTERNAL, CallFailure.sentence(name, status));
                }
                case null ->
                    throw new OutpostException(
                            FaultKind.EXTERNAL, name + " has sent nothing for " + timeout.toMillis() + " ms");
                default -> throw new IllegalStateException("neither a snapshot nor an end");
            };
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.EXTERNAL, name + ": the watch was interrupted", interrupted);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
