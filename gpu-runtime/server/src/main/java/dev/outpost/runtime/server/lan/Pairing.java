package dev.outpost.runtime.server.lan;

import dev.outpost.channel.lan.PairingExchange;
import dev.outpost.channel.lan.PairingExchange.Side;
import dev.outpost.channel.rpc.PairAccepted;
import dev.outpost.channel.rpc.PairGrant;
import dev.outpost.channel.rpc.PairMessage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/** Pairs clients, one at a time, each within half a minute. */
public final class Pairing {
    private static final Logger LOG = Logger.getLogger(Pairing.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST_WAITING = 8;
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final PairMessage END = PairMessage.getDefaultInstance();

    private final String name;
    private final String certificate;
    private final PairingCode code;
    private final PairedClients clients;
    private final InstantSource clock;
    private final Semaphore busy = new Semaphore(1);

    /** @param certificate the SHA-256 of the worker's own */
    public Pairing(String name, String certificate, PairingCode code, PairedClients clients, InstantSource clock) {
        this.name = name;
        this.certificate = certificate;
        this.code = code;
        this.clients = clients;
        this.clock = clock;
    }

    /** Begins a conversation; what the client says goes to the answer. Does not wait. */
    public StreamObserver<PairMessage> begin(StreamObserver<PairMessage> answers) {
        BlockingQueue<PairMessage> heard = new ArrayBlockingQueue<>(MOST_WAITING);
        Thread.ofVirtual().name("outpost-pairing").start(() -> run(heard, answers));
        return new StreamObserver<>() {
            @Override
            public void onNext(PairMessage message) {
                // Further messages of the client are dropped.
                heard.offer(message);
            }

            @Override
            public void onError(Throwable gone) {
                heard.offer(END);
            }

            @Override
            public void onCompleted() {
                heard.offer(END);
            }
        };
    }

    private void run(BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers) {
        if (!busy.tryAcquire()) {
            answers.onError(refusal(Status.UNAVAILABLE, name + " is being paired with another client; try again"));
            return;
        }
        Runnable end;
        try {
            end = end(heard, answers);
        } finally {
            // Before the answer: a client that hears of a wrong code may try again at once.
            busy.release();
        }
        end.run();
    }

    /** Holds the conversation, and tells how it is to be ended. */
    private Runnable end(BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers) {
        try {
            converse(heard, answers);
            return answers::onCompleted;
        } catch (StatusRuntimeException refused) {
            return () -> answers.onError(refused);
        } catch (GeneralSecurityException broken) {
            return () -> answers.onError(refusal(Status.INVALID_ARGUMENT, broken.getMessage()));
        } catch (IOException full) {
            return () -> answers.onError(refusal(Status.RESOURCE_EXHAUSTED, full.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return () -> answers.onError(refusal(Status.CANCELLED, name + " ends"));
        } catch (RuntimeException defect) {
            LOG.error("a pairing failed", defect);
            return () -> answers.onError(refusal(Status.INTERNAL, name + " failed to pair: " + defect));
        }
    }

    private void converse(BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers)
            throws GeneralSecurityException, IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Optional<Duration> closed = code.closedFor();
        if (closed.isPresent()) {
            throw refusal(
                    Status.UNAVAILABLE,
                    name + " was shown too many wrong codes; try again in "
                            + (closed.get().toSeconds() + 1) + " s, with the code that it shows then");
        }
        String valid = code.current();
        PairingExchange exchange = PairingExchange.of(Side.WORKER, valid, certificate);
        exchange.hearFirst(next(heard, end).getFirst());
        answers.onNext(PairMessage.newBuilder().setFirst(exchange.first()).build());
        exchange.hearSecond(next(heard, end).getSecond());
        answers.onNext(PairMessage.newBuilder().setSecond(exchange.second()).build());
        // From here on the client can tell whether its guess was right, so it counts even if it says nothing more.
        boolean isKnown = false;
        try {
            isKnown = exchange.accepts(next(heard, end).getProof());
        } finally {
            if (!isKnown) {
                code.guessed(valid);
            }
        }
        if (!isKnown) {
            throw refusal(Status.PERMISSION_DENIED, name + " shows another code, or another machine stands in between");
        }
        answers.onNext(PairMessage.newBuilder().setProof(exchange.proof()).build());
        grant(exchange, next(heard, end).getGrant());
        code.used(valid);
        answers.onNext(PairMessage.newBuilder()
                .setAccepted(PairAccepted.newBuilder()
                        .setWorker(name)
                        .setAuthentication(com.google.protobuf.ByteString.copyFrom(
                                exchange.authenticate(Side.WORKER, name, certificate))))
                .build());
    }

    private void grant(PairingExchange exchange, PairGrant grant) throws GeneralSecurityException, IOException {
        byte[] expected = exchange.authenticate(Side.CLIENT, grant.getClient(), grant.getTokenSha256());
        boolean isGenuine =
                MessageDigest.isEqual(expected, grant.getAuthentication().toByteArray());
        if (!isGenuine || !SHA256.matcher(grant.getTokenSha256()).matches()) {
            throw new GeneralSecurityException("the client's grant is not the client's");
        }
        clients.add(grant.getClient(), grant.getTokenSha256(), clock.instant());
    }

    private static PairMessage next(BlockingQueue<PairMessage> heard, long end) throws InterruptedException {
        PairMessage message = heard.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (message == null || message == END) {
            throw refusal(Status.CANCELLED, "the client went away, or took longer than " + PATIENCE.toSeconds() + " s");
        }
        return message;
    }

    private static StatusRuntimeException refusal(Status status, String why) {
        return status.withDescription(why).asRuntimeException();
    }
}
