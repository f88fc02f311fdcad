package dev.outpost.provider.lan;

import dev.outpost.channel.Trust;
import dev.outpost.channel.client.Channels;
import dev.outpost.channel.client.PairingCall;
import dev.outpost.channel.grant.Secrets;
import dev.outpost.channel.lan.PairingExchange;
import dev.outpost.channel.lan.PairingExchange.Side;
import dev.outpost.channel.rpc.PairAccepted;
import dev.outpost.channel.rpc.PairGrant;
import dev.outpost.channel.rpc.PairMessage;
import dev.outpost.provider.support.Owner;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;

/** The client's side of a pairing. The client creates the token, and sends the worker only the token's hash. */
final class PairingClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** A placeholder for a call that needs no token. */
    private static final String NO_TOKEN = "pairing";

    private PairingClient() {}

    /** @throws IOException if the worker refuses, does not answer, or does not know the code */
    static KnownWorkers.Entry pair(Worker worker, String code) throws IOException {
        PairingExchange exchange = PairingExchange.of(Side.CLIENT, code, worker.certificate());
        Channels channels =
                Channels.tls(worker.host(), worker.port(), new Trust.Pin(worker.certificate()), NO_TOKEN, null);
        try (PairingCall call = PairingCall.open(channels, TIMEOUT)) {
            exchange.hearFirst(
                    call.ask(PairMessage.newBuilder().setFirst(exchange.first()).build())
                            .getFirst());
            exchange.hearSecond(call.ask(PairMessage.newBuilder()
                            .setSecond(exchange.second())
                            .build())
                    .getSecond());
            PairMessage proof =
                    call.ask(PairMessage.newBuilder().setProof(exchange.proof()).build());
            if (!exchange.accepts(proof.getProof())) {
                throw new IOException(worker.name() + " does not know the code: another worker shows it");
            }
            String token = Secrets.draw(new SecureRandom());
            accept(exchange, call.ask(grant(exchange, token)).getAccepted(), worker);
            return new KnownWorkers.Entry(worker.name(), worker.certificate(), token);
        } catch (GeneralSecurityException failure) {
            throw new IOException(worker.name() + ": " + failure.getMessage(), failure);
        }
    }

    private static PairMessage grant(PairingExchange exchange, String token) {
        String client = Owner.ofThisProcess();
        String hash = Secrets.sha256Hex(token);
        return PairMessage.newBuilder()
                .setGrant(PairGrant.newBuilder()
                        .setClient(client)
                        .setTokenSha256(hash)
                        .setAuthentication(com.google.protobuf.ByteString.copyFrom(
                                exchange.authenticate(Side.CLIENT, client, hash))))
                .build();
    }

    private static void accept(PairingExchange exchange, PairAccepted accepted, Worker worker) throws IOException {
        byte[] expected = exchange.authenticate(Side.WORKER, accepted.getWorker(), worker.certificate());
        if (!MessageDigest.isEqual(expected, accepted.getAuthentication().toByteArray())) {
            throw new IOException(worker.name() + ": the answer does not come from the worker that shows the code");
        }
    }
}
