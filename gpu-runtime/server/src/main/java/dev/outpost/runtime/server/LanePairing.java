package dev.outpost.runtime.server;

import dev.outpost.channel.Lane;
import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.grant.GrantAccount;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Matches the two calls of a connection, which arrive over separate transports and in any order. */
@Singleton
final class LanePairing {
    private static final int TIMEOUT_SECONDS = 10;
    private static final int MAX_WAITING_OF_A_PEER = 64;
    private static final int MAX_WAITING = 256;

    private record Waiting(Lane lane, LaneStream stream, GrantAccount grant) {
        boolean completes(Waiting other) {
            return lane != other.lane && grant == other.grant && !other.stream.isCancelled();
        }
    }

    private final RuntimeHost host;
    private final HalfOpenConnections<Waiting> waiting = new HalfOpenConnections<>(MAX_WAITING_OF_A_PEER, MAX_WAITING);

    LanePairing(RuntimeHost host) {
        this.host = host;
    }

    /** Adds one of a connection's calls. */
    ServerCall.Listener<WireFrame> join(Lane lane, ServerCall<WireFrame, WireFrame> call, Metadata headers) {
        LaneStream stream = new LaneStream(call);
        GrantAccount grant = TokenGuard.GRANT.get();
        Optional<UUID> number = number(headers);
        if (grant.terms().role() != Role.USE) {
            stream.close(Status.PERMISSION_DENIED.withDescription(
                    refusal(grant.terms().role())));
        } else if (number.isEmpty()) {
            stream.close(Status.INVALID_ARGUMENT.withDescription(
                    RuntimeCalls.CONNECTION.name() + ": expected a UUID that both calls of a connection share"));
        } else {
            join(number.get(), new Waiting(lane, stream, grant));
        }
        return stream.incoming();
    }

    private static String refusal(Role role) {
        return role == Role.OBSERVE
                ? "the token observes; it opens no session"
                : "the token manages grants; it opens no session";
    }

    private void join(UUID number, Waiting mine) {
        Optional<Waiting> other = meet(number, mine);
        if (other.isPresent()) {
            Map<Lane, LaneStream> streams = Map.of(mine.lane, mine.stream, other.get().lane, other.get().stream);
            new FrameConnection(Lane.each(streams::get)).start(host, mine.grant, Infrastructure.getDefaultWorkerPool());
        }
    }

    /** Returns the other half of a connection. If it has not arrived yet, stores this half and returns empty. */
    private Optional<Waiting> meet(UUID number, Waiting mine) {
        Optional<Waiting> other;
        Optional<Waiting> displaced = Optional.empty();
        synchronized (waiting) {
            other = waiting.take(number);
            if (other.filter(mine::completes).isPresent()) {
                return other;
            }
            displaced = waiting.add(number, mine.stream.peer(), mine);
        }
        other.ifPresent(same -> same.stream.close(Status.ABORTED.withDescription("another call took its place")));
        displaced.ifPresent(oldest -> oldest.stream.close(
                Status.RESOURCE_EXHAUSTED.withDescription("too many newer connections wait for their other lane")));
        Infrastructure.getDefaultWorkerPool().schedule(() -> giveUp(number, mine), TIMEOUT_SECONDS, TimeUnit.SECONDS);
        return Optional.empty();
    }

    private void giveUp(UUID number, Waiting mine) {
        if (waiting.remove(number, mine)) {
            mine.stream.close(Status.DEADLINE_EXCEEDED.withDescription(
                    "the connection's other lane did not come within " + TIMEOUT_SECONDS + " s"));
        }
    }

    private static Optional<UUID> number(Metadata headers) {
        try {
            return Optional.ofNullable(headers.get(RuntimeCalls.CONNECTION)).map(UUID::fromString);
        } catch (IllegalArgumentException ignored) {
            return Optional.empty();
        }
    }
}
