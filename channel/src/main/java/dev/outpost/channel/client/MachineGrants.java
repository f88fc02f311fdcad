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

/** The grants of a machine, for whoever has the token of one with {@link GrantTerms.Role#MANAGE}, or the owner's. */
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
     * Opens a channel to a machine, which is tried at the first call.
     *
     * @param timeout how long a call may take
     * @throws IOException when what the machine needs cannot be used
     */
    public static MachineGrants open(Channels channels, Duration timeout) throws IOException {
        return new MachineGrants(channels, timeout, channels.open());
    }

    /**
     * Binds or changes some grants, and takes others back, in one call.
     *
     * @param bind the terms by the hash of a token in hex
     * @param revoke the hashes of tokens that open nothing any more
     * @return how each grant is used
     * @throws AccessRefusedException where the token is not one that manages, or a grant is refused
     * @throws IOException where the machine does not answer
     */
    public List<GrantUse> change(Map<String, GrantTerms> bind, Collection<String> revoke) throws IOException {
        ManageRequest.Builder request = ManageRequest.newBuilder().addAllRevoke(revoke);
        bind.forEach((hash, terms) ->
                request.addBind(GrantBinding.newBuilder().setTokenSha256(hash).setTerms(terms.text())));
        return send(request.build()).getGrantsList().stream()
                .map(MachineGrants::use)
                .toList();
    }

    /** How each grant is used; throws as {@link #change}. */
    public List<GrantUse> report() throws IOException {
        return change(Map.of(), List.of());
    }

    /**
     * Lets the machine wait for its first client for another lease.
     *
     * @throws AccessRefusedException where the token is not one that manages
     * @throws IOException where the machine does not answer
     */
    public void keep() throws IOException {
        send(ManageRequest.newBuilder().setKeep(true).build());
    }

    /**
     * The latest instructions of each open session, by its number: ops, dtypes and shapes as text, and no value. A machine of a
     * version that does not tell them has none.
     *
     * @param max how many of each session, 1 to 500
     * @throws AccessRefusedException where the token is not one that manages
     * @throws IOException where the machine does not answer
     */
    public SortedMap<Long, List<String>> instructions(int max) throws IOException {
        SortedMap<Long, List<String>> all = new TreeMap<>();
        send(ManageRequest.newBuilder().setInstructions(max).build())
                .getSessionsList()
                .forEach(session -> all.put(session.getNumber(), List.copyOf(session.getLinesList())));
        return all;
    }

    /**
     * Gives the machine secrets for its sources, in place of those that it has. It keeps them in memory alone.
     *
     * @param secrets the values by names of variables, such as {@code HF_TOKEN}
     * @throws AccessRefusedException where the token is not one that manages
     * @throws IOException where the machine does not answer
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
