package dev.outpost.client.group;

import dev.outpost.client.Incarnation;
import dev.outpost.protocol.message.PeerQuestion;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Connects the members of a group with each other. Segments that exchange something wait for that on the machines. */
final class GroupJoin {
    private final GroupLife group;
    private final Duration patience;

    /** @param patience how long a member waits for another one in an exchange */
    GroupJoin(GroupLife group, Duration patience) {
        this.group = group;
        this.patience = patience;
    }

    /** Asks the members to be ready for each other, and then to connect. Does not wait. */
    CompletableFuture<Void> begin() {
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
            addresses.add(ask(
                    group.members().get(rank),
                    PeerQuestion.newBuilder().setOpen(open).build()));
        }
        return addresses;
    }

    private CompletableFuture<Void> connect(List<CompletableFuture<byte[]>> addresses) {
        List<String> texts = addresses.stream()
                .map(address -> new String(address.join(), StandardCharsets.UTF_8))
                .toList();
        PeerQuestion.Join.Builder join =
                PeerQuestion.Join.newBuilder().addAllAddresses(texts).setPatienceMillis(patience.toMillis());
        PeerQuestion question = PeerQuestion.newBuilder().setJoin(join).build();
        return all(group.members().stream().map(member -> ask(member, question)).toList());
    }

    private static CompletableFuture<byte[]> ask(Incarnation member, PeerQuestion question) {
        return member.askPeers(question);
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
