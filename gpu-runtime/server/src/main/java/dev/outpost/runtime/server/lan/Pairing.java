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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Pairs clients. A conversation ends after half a minute, or after 5 s without a first message. {@link
 * PairingCallers} limits the conversations of each address, and {@link PairingCode} limits the guesses. Thread-safe.
 */
public final class Pairing {
    private static final Logger LOG = Logger.getLogger(Pairing.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FIRST_MESSAGE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_WAITING = 8;
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    private static final PairMessage END = PairMessage.getDefaultInstance();

    private final String name;
    private final String certificate;
    private final PairingCode code;
    private final PairedClients clients;
    private final InstantSource clock;
    private final PairingCallers callers;
    private final Duration firstMessageTimeout;

    /** @param certificate the SHA-256 of the worker's own certificate */
    public Pairing(String name, String certificate, PairingCode code, PairedClients clients, InstantSource clock) {
        this(name, certificate, code, clients, clock, new PairingCallers(System::nanoTime), FIRST_MESSAGE_TIMEOUT);
    }

    /** @param firstMessageTimeout the longest time until the first message of a caller */
    Pairing(
            String name,
            String certificate,
            PairingCode code,
            PairedClients clients,
            InstantSource clock,
            PairingCallers callers,
            Duration firstMessageTimeout) {
        this.name = name;
        this.certificate = certificate;
        this.code = code;
        this.clients = clients;
        this.clock = clock;
        this.callers = callers;
        this.firstMessageTimeout = firstMessageTimeout;
    }

    /**
     * Begins a conversation on a new thread. Does not wait.
     *
     * @param address the address of the client
     * @param answers receives the worker's messages
     * @return receives the client's messages
     */
    public StreamObserver<PairMessage> begin(String address, StreamObserver<PairMessage> answers) {
        BlockingQueue<PairMessage> heard = new ArrayBlockingQueue<>(MAX_WAITING);
        Thread.ofVirtual().name("outpost-pairing").start(() -> run(address, heard, answers));
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

    private void run(String address, BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers) {
        Optional<String> refused = callers.enter(address);
        if (refused.isPresent()) {
            answers.onError(refusal(Status.RESOURCE_EXHAUSTED, refused.get()));
            return;
        }
        Runnable end;
        try {
            end = end(address, heard, answers);
        } finally {
            // The caller is released before the answer is sent, because the client may try again as soon as it has
            // the answer.
            callers.leave(address);
        }
        end.run();
    }

    /** Runs the conversation. Returns the action that completes the call or reports the failure to the client. */
    private Runnable end(String address, BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers) {
        try {
            converse(address, heard, answers);
            return answers::onCompleted;
        } catch (StatusRuntimeException failure) {
            return () -> answers.onError(failure);
        } catch (GeneralSecurityException failure) {
            return () -> answers.onError(refusal(Status.INVALID_ARGUMENT, failure.getMessage()));
        } catch (IOException failure) {
            return () -> answers.onError(refusal(Status.RESOURCE_EXHAUSTED, failure.getMessage()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return () -> answers.onError(refusal(Status.CANCELLED, name + " ends"));
        } catch (RuntimeException failure) {
            LOG.error("a pairing failed", failure);
            return () -> answers.onError(refusal(Status.INTERNAL, name + " failed to pair: " + failure));
        }
    }

    private void converse(String address, BlockingQueue<PairMessage> heard, StreamObserver<PairMessage> answers)
            throws GeneralSecurityException, IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        Optional<Duration> closed = code.closedFor();
        if (closed.isPresent()) {
            throw refusal(
                    Status.RESOURCE_EXHAUSTED,
                    name + " was shown too many wrong codes; try again in " + PairingCode.wholeSeconds(closed.get())
                            + " s, with the code that it shows then");
        }
        String valid = code.current();
        PairingExchange exchange = PairingExchange.of(Side.WORKER, valid, certificate);
        exchange.hearFirst(next(heard, firstMessageTimeout).getFirst());
        answers.onNext(PairMessage.newBuilder().setFirst(exchange.first()).build());
        exchange.hearSecond(next(heard, until(end)).getSecond());
        if (!code.begin(valid)) {
            throw refusal(
                    Status.RESOURCE_EXHAUSTED,
                    name + " is being paired with other clients; try again with the code that it shows then");
        }
        guess(address, valid, exchange, heard, answers, end);
        answers.onNext(PairMessage.newBuilder()
                .setAccepted(PairAccepted.newBuilder()
                        .setWorker(name)
                        .setAuthentication(com.google.protobuf.ByteString.copyFrom(
                                exchange.authenticate(Side.WORKER, name, certificate))))
                .build());
    }

    /**
     * Runs the part in which the client learns if its code is right. The guess counts as wrong unless the client
     * proves that it knows the code, even if the client sends no more messages.
     */
    private void guess(
            String address,
            String valid,
            PairingExchange exchange,
            BlockingQueue<PairMessage> heard,
            StreamObserver<PairMessage> answers,
            long end)
            throws GeneralSecurityException, IOException, InterruptedException {
        boolean isKnown = false;
        try {
            answers.onNext(PairMessage.newBuilder().setSecond(exchange.second()).build());
            isKnown = exchange.accepts(next(heard, until(end)).getProof());
            if (!isKnown) {
                throw refusal(
                        Status.PERMISSION_DENIED, name + " shows another code, or another machine stands in between");
            }
            answers.onNext(PairMessage.newBuilder().setProof(exchange.proof()).build());
            grant(exchange, valid, next(heard, until(end)).getGrant());
            callers.right(address);
        } finally {
            if (isKnown) {
                code.dropped(valid);
            } else {
                callers.wrong(address);
                code.guessed(valid);
            }
        }
    }

    private void grant(PairingExchange exchange, String valid, PairGrant grant)
            throws GeneralSecurityException, IOException {
        byte[] expected = exchange.authenticate(Side.CLIENT, grant.getClient(), grant.getTokenSha256());
        boolean isGenuine =
                MessageDigest.isEqual(expected, grant.getAuthentication().toByteArray());
        if (!isGenuine || !SHA256.matcher(grant.getTokenSha256()).matches()) {
            throw new GeneralSecurityException("the client's grant is not the client's");
        }
        if (!code.used(valid)) {
            throw refusal(
                    Status.RESOURCE_EXHAUSTED,
                    name + " was paired with another client meanwhile; try again with the code that it shows now");
        }
        clients.add(grant.getClient(), grant.getTokenSha256(), clock.instant());
    }

    private static Duration until(long endNanos) {
        return Duration.ofNanos(endNanos - System.nanoTime());
    }

    private static PairMessage next(BlockingQueue<PairMessage> heard, Duration timeout) throws InterruptedException {
        PairMessage message = heard.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
        if (message == null) {
            throw refusal(Status.DEADLINE_EXCEEDED, "the client sent its next message too late; try again");
        }
        if (message == END) {
            throw refusal(Status.CANCELLED, "the client has ended the call");
        }
        return message;
    }

    private static StatusRuntimeException refusal(Status status, String why) {
        return status.withDescription(why).asRuntimeException();
    }
}
