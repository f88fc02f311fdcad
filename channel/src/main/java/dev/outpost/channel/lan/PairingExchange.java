package dev.outpost.channel.lan;

import dev.outpost.channel.rpc.PairNumbers;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.agreement.jpake.JPAKEParticipant;
import org.bouncycastle.crypto.agreement.jpake.JPAKEPrimeOrderGroups;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound1Payload;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound2Payload;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound3Payload;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.jspecify.annotations.Nullable;

/**
 * One side of a pairing, by J-PAKE (RFC 8236). Both sides prove to each other that they know the code; an eavesdropper or a man in the
 * middle learns nothing that helps to guess it. The shared secret is the code together with the worker's certificate, so the pairing also
 * fails if the TLS connection ends at another host. An object serves one pairing and one thread.
 */
public final class PairingExchange {
    /** The side of the pairing. */
    public enum Side {
        CLIENT,
        WORKER;

        private String id() {
            return "outpost-" + name();
        }

        private Side other() {
            return this == CLIENT ? WORKER : CLIENT;
        }
    }

    private static final int MAX_NUMBER_BYTES = 400;
    private static final int FIRST_NUMBERS = 6;
    private static final int SECOND_NUMBERS = 3;
    private static final String HMAC = "HmacSHA256";

    private final Side side;
    private final JPAKEParticipant participant;
    private @Nullable BigInteger material;
    /**
     * The numbers of this side in each round. The library requires that this side draws its numbers before it checks the numbers of the
     * other side.
     */
    private @Nullable PairNumbers first;

    private @Nullable PairNumbers second;
    private @Nullable PairNumbers proof;

    private PairingExchange(Side side, char[] secret) {
        this.side = side;
        this.participant = new JPAKEParticipant(
                side.id(), secret, JPAKEPrimeOrderGroups.NIST_3072, SHA256Digest.newInstance(), new SecureRandom());
    }

    /**
     * Starts a pairing.
     *
     * @param code the code that the worker shows; dashes and blanks are ignored
     * @param certificate the SHA-256 of the worker's certificate: the worker passes its own certificate, the client
     *     the one that it received
     */
    public static PairingExchange of(Side side, String code, String certificate) {
        String plain = code.replaceAll("[\\s-]", "");
        if (plain.isEmpty()) {
            throw new IllegalArgumentException("code: expected the one that the worker shows, got nothing");
        }
        return new PairingExchange(side, (plain + ":" + certificate).toCharArray());
    }

    public PairNumbers first() {
        first = first == null ? makeFirst() : first;
        return first;
    }

    private PairNumbers makeFirst() {
        JPAKERound1Payload payload = participant.createRound1PayloadToSend();
        BigInteger[] one = payload.getKnowledgeProofForX1();
        BigInteger[] two = payload.getKnowledgeProofForX2();
        return numbers(payload.getGx1(), payload.getGx2(), one[0], one[1], two[0], two[1]);
    }

    /** @throws GeneralSecurityException if the other side violates the protocol */
    public void hearFirst(PairNumbers heard) throws GeneralSecurityException {
        first();
        List<BigInteger> n = read(heard, FIRST_NUMBERS);
        try {
            participant.validateRound1PayloadReceived(new JPAKERound1Payload(
                    side.other().id(), n.get(0), n.get(1), new BigInteger[] {n.get(2), n.get(3)}, new BigInteger[] {
                        n.get(4), n.get(5)
                    }));
        } catch (CryptoException failure) {
            throw broken(failure);
        }
    }

    public PairNumbers second() {
        second = second == null ? makeSecond() : second;
        return second;
    }

    private PairNumbers makeSecond() {
        JPAKERound2Payload payload = participant.createRound2PayloadToSend();
        BigInteger[] proof = payload.getKnowledgeProofForX2s();
        return numbers(payload.getA(), proof[0], proof[1]);
    }

    /** @throws GeneralSecurityException if the other side violates the protocol */
    public void hearSecond(PairNumbers heard) throws GeneralSecurityException {
        second();
        List<BigInteger> n = read(heard, SECOND_NUMBERS);
        try {
            participant.validateRound2PayloadReceived(
                    new JPAKERound2Payload(side.other().id(), n.get(0), new BigInteger[] {n.get(1), n.get(2)}));
        } catch (CryptoException failure) {
            throw broken(failure);
        }
        material = participant.calculateKeyingMaterial();
    }

    /** Proves that this side knows the code. */
    public PairNumbers proof() {
        proof = proof == null
                ? numbers(participant
                        .createRound3PayloadToSend(Objects.requireNonNull(material))
                        .getMacTag())
                : proof;
        return proof;
    }

    /**
     * Checks the other side's proof.
     *
     * @return true if the other side knows the same code and the same certificate
     */
    public boolean accepts(PairNumbers heard) throws GeneralSecurityException {
        proof();
        List<BigInteger> n = read(heard, 1);
        try {
            participant.validateRound3PayloadReceived(
                    new JPAKERound3Payload(side.other().id(), n.getFirst()), Objects.requireNonNull(material));
            return true;
        } catch (CryptoException ignored) {
            return false;
        }
    }

    /** Computes a MAC over texts that one side sends to the other, after both proofs. */
    public byte[] authenticate(Side from, String... texts) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            byte[] key = MessageDigest.getInstance("SHA-256")
                    .digest(("outpost-pairing:"
                                    + Objects.requireNonNull(material).toString(16))
                            .getBytes(StandardCharsets.US_ASCII));
            mac.init(new SecretKeySpec(key, HMAC));
            mac.update((byte) from.ordinal());
            for (String text : texts) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                mac.update((byte) (bytes.length >> 8));
                mac.update((byte) bytes.length);
                mac.update(bytes);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static PairNumbers numbers(BigInteger... numbers) {
        PairNumbers.Builder message = PairNumbers.newBuilder();
        for (BigInteger number : numbers) {
            message.addNumbers(com.google.protobuf.ByteString.copyFrom(number.toByteArray()));
        }
        return message.build();
    }

    private static List<BigInteger> read(PairNumbers message, int count) throws GeneralSecurityException {
        if (message.getNumbersCount() != count
                || message.getNumbersList().stream()
                        .anyMatch(each -> each.isEmpty() || each.size() > MAX_NUMBER_BYTES)) {
            throw new GeneralSecurityException("the numbers of a pairing are too many, too few or too long");
        }
        return message.getNumbersList().stream()
                .map(each -> new BigInteger(each.toByteArray()))
                .toList();
    }

    private static GeneralSecurityException broken(CryptoException refused) {
        return new GeneralSecurityException("the other side does not keep to the pairing's protocol", refused);
    }
}
