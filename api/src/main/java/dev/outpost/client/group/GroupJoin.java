package dev.outpost.client.group;

import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.message.PeerText;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Connects the members of a group with each other. On the machines, segments with exchanges wait for the connections. */
final class GroupJoin {
    private static final int MAX_OF_A_TEXT = 500;

    private final GroupSession group;
    private final Duration timeout;

    /** @param timeout the longest wait of a member for another one in an exchange */
    GroupJoin(GroupSession group, Duration timeout) {
        this.group = group;
        this.timeout = timeout;
    }

    /**
     * Asks the members to accept connections, and then to connect. Does not wait.
     *
     * @return a description of how they exchange; empty if there is nothing to report
     */
    CompletableFuture<String> begin() {
        List<CompletableFuture<byte[]>> addresses = open(HexFormat.of().formatHex(randomBytes()));
        return all(addresses).thenCompose(nothing -> connect(addresses));
    }

    private List<CompletableFuture<byte[]>> open(String key) {
        List<CompletableFuture<byte[]>> addresses = new ArrayList<>();
        for (int rank = 0; rank < group.members().size(); rank++) {
            PeerQuestion.Open.Builder open = PeerQuestion.Open.newBuilder()
                    .setGroup(group.id())
                    .setKey(key)
                    .setRank(rank)
                    .setSize(group.members().size());
            addresses.add(ask(rank, PeerQuestion.newBuilder().setOpen(open).build()));
        }
        return addresses;
    }

    private CompletableFuture<String> connect(List<CompletableFuture<byte[]>> addresses) {
        List<String> texts = addresses.stream()
                .map(address -> new String(address.join(), StandardCharsets.UTF_8))
                .toList();
        PeerQuestion.Join.Builder join =
                PeerQuestion.Join.newBuilder().addAllAddresses(texts).setPatienceMillis(timeout.toMillis());
        PeerQuestion question = PeerQuestion.newBuilder().setJoin(join).build();
        List<CompletableFuture<byte[]>> answers = IntStream.range(
                        0, group.members().size())
                .mapToObj(rank -> ask(rank, question))
                .toList();
        return all(answers)
                .thenApply(nothing ->
                        PeerText.clean(new String(answers.getFirst().join(), StandardCharsets.UTF_8), MAX_OF_A_TEXT));
    }

    private CompletableFuture<byte[]> ask(int rank, PeerQuestion question) {
        return group.members().get(rank).askPeers(question).exceptionally(failure -> {
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "member " + rank + ": " + rootOf(failure).getMessage());
        });
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<byte[]>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }
}
