package dev.outpost.channel.client;

import dev.outpost.channel.AccessRefusedException;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.channel.rpc.GrantBinding;
import dev.outpost.channel.rpc.GrantReport;
import dev.outpost.channel.rpc.ManageReply;
import dev.outpost.channel.rpc.ManageRequest;
import dev.outpost.channel.rpc.RuntimeGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The grants of a machine. Needs the owner's token, or a token with {@link GrantTerms.Role#MANAGE}. */
public final class MachineGrants implements AutoCloseable {
    private final Channels channels;
    private final Duration timeout;
    private final ManagedChannel channel;

    private MachineGrants(Channels channels, Duration timeout, ManagedChannel channel) {
        this.channels = channels;
        this.timeout = timeout;
        this.channel = channel;
    }

    /**
     * Makes a channel to a machine. The first call connects it.
     *
     * @param timeout the maximum time of a call
     * @throws IOException if a certificate or another resource of the connection is not usable
     */
    public static MachineGrants open(Channels channels, Duration timeout) throws IOException {
        return new MachineGrants(channels, timeout, channels.open());
    }

    /**
     * Adds, changes and revokes grants in one call.
     *
     * @param bind the terms by the hash of a token in hex
     * @param revoke the hashes of the tokens to revoke
     * @return the use of each grant
     * @throws AccessRefusedException if the token may not manage, or a grant is refused
     * @throws IOException if the machine does not answer
     */
    public List<GrantUse> change(Map<String, GrantTerms> bind, Collection<String> revoke) throws IOException {
        ManageRequest.Builder request = ManageRequest.newBuilder().addAllRevoke(revoke);
        bind.forEach((hash, terms) ->
                request.addBind(GrantBinding.newBuilder().setTokenSha256(hash).setTerms(terms.text())));
        return send(request.build()).getGrantsList().stream()
                .map(MachineGrants::use)
                .toList();
    }

    /** Returns the use of each grant. Throws the same exceptions as {@link #change}. */
    public List<GrantUse> report() throws IOException {
        return change(Map.of(), List.of());
    }

    /**
     * Restarts the lease time for which the machine waits for its first client.
     *
     * @throws AccessRefusedException if the token may not manage
     * @throws IOException if the machine does not answer
     */
    public void keep() throws IOException {
        send(ManageRequest.newBuilder().setKeep(true).build());
    }

    /**
     * Returns the latest instructions of each open session, by its number: ops, dtypes and shapes as text, without values. Empty for a
     * machine of a version that does not support this.
     *
     * @param max the maximum number of instructions of each session, 1 to 500
     * @throws AccessRefusedException if the token may not manage
     * @throws IOException if the machine does not answer
     */
    public SortedMap<Long, List<String>> instructions(int max) throws IOException {
        SortedMap<Long, List<String>> all = new TreeMap<>();
        send(ManageRequest.newBuilder().setInstructions(max).build())
                .getSessionsList()
                .forEach(session -> all.put(session.getNumber(), List.copyOf(session.getLinesList())));
        return all;
    }

    /**
     * Sends the machine the secrets of its sources, which replace the current ones. The machine keeps them in memory
     * only.
     *
     * @param secrets the values by names of variables, such as {@code HF_TOKEN}
     * @throws AccessRefusedException if the token may not manage
     * @throws IOException if the machine does not answer
     */
    public void mount(Map<String, String> secrets) throws IOException {
        send(ManageRequest.newBuilder().putAllSecrets(secrets).build());
    }

    private ManageReply send(ManageRequest request) throws IOException {
        try {
            return RuntimeGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(channels.headers()))
                    .withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .manage(request);
        } catch (StatusRuntimeException failure) {
            throw CallFailure.of(channels.name(), failure.getStatus());
        }
    }

    private static GrantUse use(GrantReport report) {
        long seen = report.getLastSeenMillis();
        return new GrantUse(
                report.getTokenSha256(),
                report.getSessions(),
                seen == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(seen)),
                report.getLiveBytes(),
                report.getEngineNanos());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
