package dev.outpost.channel.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RunnerTokenTest {
    @Test
    void eachRunnerHasATokenOfItsOwnThatDoesNotHoldItsSecret() {
        String token = RunnerToken.ofMachine("jr_1_secret");
        assertEquals(token, RunnerToken.ofMachine("jr_1_secret"));
        assertNotEquals(token, RunnerToken.ofMachine("jr_2_secret"));
        assertFalse(token.contains("secret"));
        assertEquals(43, token.length());
    }

    @Test
    void hashIsThatOfTheToken() throws GeneralSecurityException {
        byte[] token = RunnerToken.ofMachine("jr_1_secret").getBytes(StandardCharsets.US_ASCII);
        assertEquals(
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token)),
                RunnerToken.hashOfMachine("jr_1_secret"));
    }
}
