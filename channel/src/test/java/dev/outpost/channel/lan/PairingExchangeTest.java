package dev.outpost.channel.lan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.lan.PairingExchange.Side;
import dev.outpost.channel.rpc.PairNumbers;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;

class PairingExchangeTest {
    private static final String CERTIFICATE = "ab".repeat(32);

    private final PairingExchange worker = PairingExchange.of(Side.WORKER, "1234-5678", CERTIFICATE);

    @Test
    void bothSidesAgreeWhereTheCodeIsTheSame() throws GeneralSecurityException {
        PairingExchange client = PairingExchange.of(Side.CLIENT, "12345678", CERTIFICATE);
        converse(client);
        assertTrue(worker.accepts(client.proof()));
        assertTrue(client.accepts(worker.proof()));
        assertArrayEquals(client.authenticate(Side.CLIENT, "ada", "x"), worker.authenticate(Side.CLIENT, "ada", "x"));
        assertFalse(java.util.Arrays.equals(
                client.authenticate(Side.CLIENT, "ada", "x"), worker.authenticate(Side.WORKER, "ada", "x")));
    }

    @Test
    void anotherCodeIsNotAccepted() throws GeneralSecurityException {
        PairingExchange client = PairingExchange.of(Side.CLIENT, "12345679", CERTIFICATE);
        converse(client);
        assertFalse(worker.accepts(client.proof()));
    }

    @Test
    void anotherCertificateInBetweenIsNotAccepted() throws GeneralSecurityException {
        PairingExchange client = PairingExchange.of(Side.CLIENT, "12345678", "cd".repeat(32));
        converse(client);
        assertFalse(worker.accepts(client.proof()));
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(GeneralSecurityException.class, () -> worker.hearFirst(PairNumbers.getDefaultInstance()));
        PairNumbers own = worker.first();
        assertThrows(GeneralSecurityException.class, () -> worker.hearFirst(own), "an echo of its own numbers");
    }

    private void converse(PairingExchange client) throws GeneralSecurityException {
        worker.hearFirst(client.first());
        client.hearFirst(worker.first());
        worker.hearSecond(client.second());
        client.hearSecond(worker.second());
    }
}
