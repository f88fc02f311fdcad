package dev.outpost.channel.client;

import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.channel.rpc.WatchRequest;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;

/** Looks at a machine from outside: what its sessions hold and do, whoever's they are. Opens no session itself. */
public final class MachineWatch implements AutoCloseable {
    private final String name;
    private final ManagedChannel channel;
    private final Context.CancellableContext context = Context.current().withCancellation();
    private final Iterator<Snapshot> snapshots;

    private MachineWatch(
            String name, ManagedChannel channel, RuntimeGrpc.RuntimeBlockingStub stub, WatchRequest request) {
        this.name = name;
        this.channel = channel;
        Context previous = context.attach();
        try {
            this.snapshots = stub.watch(request);
        } finally {
            context.detach(previous);
        }
    }

    /**
     * Begins to look.
     *
     * @param interval between snapshots; the machine makes it 100 ms at least
     * @param instructions whether to be told what sessions run
     * @throws OutpostException of kind external when the machine cannot be reached
     */
    public static MachineWatch open(Channels channels, Duration interval, boolean instructions) {
        WatchRequest request = WatchRequest.newBuilder()
                .setIntervalMillis((int) interval.toMillis())
                .setInstructions(instructions)
                .build();
        try {
            ManagedChannel channel = channels.open();
            RuntimeGrpc.RuntimeBlockingStub stub = RuntimeGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(channels.headers()));
            return new MachineWatch(channels.name(), channel, stub, request);
        } catch (IOException unusable) {
            throw new OutpostException(FaultKind.USER, channels.name() + ": " + unusable.getMessage(), unusable);
        }
    }

    /** Waits for the next snapshot; null when the machine has ended the watch. */
    public Snapshot next() {
        try {
            return snapshots.hasNext() ? snapshots.next() : null;
        } catch (StatusRuntimeException failed) {
            throw new OutpostException(FaultKind.EXTERNAL, Refusal.sentence(name, failed.getStatus()), failed);
        }
    }

    @Override
    public void close() {
        context.cancel(null);
        channel.shutdownNow();
    }
}
