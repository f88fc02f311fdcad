package dev.outpost.runtime.server.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.lan.PairingExchange;
import dev.outpost.channel.lan.PairingExchange.Side;
import dev.outpost.channel.rpc.PairGrant;
import dev.outpost.channel.rpc.PairMessage;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.support.tests.Await;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests conversations with callers that are silent, guess, or come at the same time. */
@Tag("quick")
class PairingTest {
    private static final String CERTIFICATE = "ab".repeat(32);
    private static final String WRONG = "no code at all";

    @TempDir
    Path folder;

    private volatile long nanos;
    private PairingCode code;
    private PairedClients clients;

    @BeforeEach
    void open() throws IOException {
        code = PairingCode.show(null, () -> nanos, shown -> {});
        clients = PairedClients.open(LanState.open(folder.resolve("state")), new GrantRegistry(InstantSource.system()));
    }

    private Pairing pairing(Duration firstMessageTimeout) {
        return new Pairing(
                "desk",
                CERTIFICATE,
                code,
                clients,
                InstantSource.system(),
                new PairingCallers(() -> nanos),
                firstMessageTimeout);
    }

    /** A client that sends messages one by one. */
    private static final class Client implements StreamObserver<PairMessage> {
        /** Messages, and a {@link Status} where the call has ended. */
        private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();

        private final PairingExchange exchange;
        private final StreamObserver<PairMessage> out;

        Client(Pairing pairing, String address, String code) {
            exchange = PairingExchange.of(Side.CLIENT, code, CERTIFICATE);
            out = pairing.begin(address, this);
        }

        @Override
        public void onNext(PairMessage message) {
            answers.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            answers.add(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            answers.add(Status.OK);
        }

        private Object ask(PairMessage.Builder message) throws InterruptedException {
            out.onNext(message.build());
            return answer();
        }

        Object answer() throws InterruptedException {
            return Await.next("an answer of the worker", answers);
        }

        /** Continues until the worker has sent the data that a guessed code can be checked against. */
        void untilProof() throws Exception {
            exchange.hearFirst(((PairMessage) ask(PairMessage.newBuilder().setFirst(exchange.first()))).getFirst());
            exchange.hearSecond(((PairMessage) ask(PairMessage.newBuilder().setSecond(exchange.second()))).getSecond());
        }

        /** The end of the call, after all messages of a client that has the code. */
        Status pair() throws Exception {
            untilProof();
            return finish();
        }

        Status finish() throws InterruptedException, GeneralSecurityException {
            Object proof = ask(PairMessage.newBuilder().setProof(exchange.proof()));
            if (proof instanceof Status refused) {
                return refused;
            }
            String hash = "0".repeat(64);
            Object accepted = ask(PairMessage.newBuilder()
                    .setGrant(PairGrant.newBuilder()
                            .setClient("client")
                            .setTokenSha256(hash)
                            .setAuthentication(com.google.protobuf.ByteString.copyFrom(
                                    exchange.authenticate(Side.CLIENT, "client", hash)))));
            return accepted instanceof Status refused ? refused : (Status) answer();
        }

        Status refusal() throws InterruptedException {
            return (Status) answer();
        }
    }

    @Test
    void silentCallerHoldsUpNoOtherAddress() throws Exception {
        Pairing pairing = pairing(Await.GUARD);
        Client silent = new Client(pairing, "192.0.2.1", WRONG);
        Client talking = new Client(pairing, "192.0.2.2", WRONG);
        talking.untilProof();
        assertEquals(
                Code.OK, new Client(pairing, "192.0.2.3", code.current()).pair().getCode());
        assertEquals(1, clients.count());
        assertTrue(silent.answers.isEmpty());
    }

    @Test
    void callerWithoutAFirstMessageIsRefused() throws Exception {
        Status late = new Client(pairing(Duration.ofMillis(1)), "192.0.2.1", WRONG).refusal();
        assertEquals(Code.DEADLINE_EXCEEDED, late.getCode());
    }

    @Test
    void addressHasOneConversation() throws Exception {
        Pairing pairing = pairing(Await.GUARD);
        Client first = new Client(pairing, "192.0.2.1", WRONG);
        first.untilProof();
        Status second = new Client(pairing, "192.0.2.1", code.current()).refusal();
        assertEquals(Code.RESOURCE_EXHAUSTED, second.getCode());
        first.out.onCompleted();
        assertEquals(Code.CANCELLED, first.refusal().getCode());
        nanos += PairingCallers.FIRST_PAUSE.toNanos();
        assertEquals(
                Code.OK, new Client(pairing, "192.0.2.1", code.current()).pair().getCode());
    }

    /** The test sends a wrong proof or none, because a guesser already knows at this point whether its guess was right. */
    @Test
    void guessesAreCountedAndSlowed() throws Exception {
        Pairing pairing = pairing(Await.GUARD);
        String shown = code.current();
        Duration pause = PairingCallers.FIRST_PAUSE;
        for (int guess = 1; guess <= 5; guess++) {
            assertEquals(shown, code.current());
            Client guessing = new Client(pairing, "192.0.2.1", WRONG);
            guessing.untilProof();
            if (guess % 2 == 0) {
                guessing.out.onError(new IOException("gone"));
                assertEquals(Code.CANCELLED, guessing.refusal().getCode());
            } else {
                assertEquals(Code.PERMISSION_DENIED, guessing.finish().getCode());
            }
            nanos += pause.toNanos() - 1;
            assertEquals(
                    Code.RESOURCE_EXHAUSTED,
                    new Client(pairing, "192.0.2.1", WRONG).refusal().getCode());
            nanos += 1;
            pause = pause.multipliedBy(2);
        }
        assertTrue(!code.current().equals(shown), "five wrong guesses change the code");
        Status closed = new Client(pairing, "192.0.2.9", code.current()).refusal();
        assertTrue(closed.getDescription().contains("too many wrong codes"), closed::getDescription);
        nanos += Duration.ofMinutes(1).toNanos();
        assertEquals(
                Code.OK, new Client(pairing, "192.0.2.9", code.current()).pair().getCode());
    }

    @Test
    void codePairsOneOfTwoClientsThatKnowIt() throws Exception {
        Pairing pairing = pairing(Await.GUARD);
        String shown = code.current();
        Client first = new Client(pairing, "192.0.2.1", shown);
        Client second = new Client(pairing, "192.0.2.2", shown);
        first.untilProof();
        second.untilProof();
        assertEquals(Code.OK, first.finish().getCode());
        Status refused = second.finish();
        assertEquals(Code.RESOURCE_EXHAUSTED, refused.getCode());
        assertEquals(1, clients.count());
    }
}
