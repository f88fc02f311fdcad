package dev.outpost.runtime.server;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.rpc.GrantBinding;
import dev.outpost.channel.rpc.GrantReport;
import dev.outpost.channel.rpc.ManageReply;
import dev.outpost.channel.rpc.ManageRequest;
import dev.outpost.channel.rpc.SessionInstructions;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.runtime.session.grant.GrantStats;
import io.grpc.Status;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Adds, changes and revokes grants for managers of the machine, sets secrets of its sources, and reports how grants are used
 * and which sessions have run. A call may contain several requests.
 */
@Singleton
final class GrantManagement {
    /** The maximum number of instructions of each session in one answer. */
    static final int MAX_INSTRUCTIONS = 500;

    private final RuntimeHost host;

    GrantManagement(RuntimeHost host) {
        this.host = host;
    }

    Uni<ManageReply> manage(ManageRequest request) {
        return Uni.createFrom().item(() -> {
            try {
                GrantRegistry grants = host.grantBook();
                request.getBindList().forEach(binding -> grants.bind(binding.getTokenSha256(), terms(binding)));
                request.getRevokeList().forEach(grants::revoke);
                if (request.getSecretsCount() > 0) {
                    host.mount(request.getSecretsMap());
                }
                if (request.getKeep()) {
                    host.keep();
                }
                return reply(Math.min(request.getInstructions(), MAX_INSTRUCTIONS));
            } catch (IllegalArgumentException failure) {
                throw Status.INVALID_ARGUMENT
                        .withDescription(failure.getMessage())
                        .asRuntimeException();
            }
        });
    }

    private static GrantTerms terms(GrantBinding binding) {
        return GrantTerms.parse(binding.getTerms());
    }

    /** @param instructions number of instructions to report for each session */
    private ManageReply reply(int instructions) {
        ManageReply.Builder reply = ManageReply.newBuilder();
        host.grants().forEach(grant -> reply.addGrants(report(grant)));
        if (instructions > 0) {
            host.instructions(instructions)
                    .forEach((number, lines) -> reply.addSessions(
                            SessionInstructions.newBuilder().setNumber(number).addAllLines(lines)));
        }
        return reply.build();
    }

    private static GrantReport report(GrantStats grant) {
        return GrantReport.newBuilder()
                .setTokenSha256(grant.tokenSha256())
                .setSessions(grant.sessions())
                .setLastSeenMillis(grant.lastSeen().map(Instant::toEpochMilli).orElse(0L))
                .setLiveBytes(grant.liveBytes())
                .setEngineNanos(grant.engineNanos())
                .build();
    }
}
