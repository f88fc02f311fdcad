package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.serving.gateway.CallerKeys.CallerKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CallerKeysTest {
    private static final String ADDRESS = "192.0.2.1";
    private static final String VALID = key(1);
    private static final int BURST = 20;

    private final AtomicLong nanos = new AtomicLong();
    private final Set<String> valid = new HashSet<>(Set.of(VALID));
    private final CallerKeys keys = new CallerKeys(true, nanos::get, this::ask);
    private boolean isAway;
    private int asked;

    private static String key(int number) {
        return "op_abcdefghij_" + String.format("%040d", number);
    }

    private Optional<AdmittedKey> ask(String secret) {
        asked++;
        if (isAway) {
            throw new UnavailableException("the backend is away", Duration.ofSeconds(5));
        }
        return valid.contains(secret)
                ? Optional.of(new AdmittedKey("k1", null, "vision", null, null))
                : Optional.empty();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private Optional<String> find(String secret, String address) {
        return keys.find(secret, address).map(CallerKey::id);
    }

    private void guess(String address, int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(Optional.empty(), find(key(++asked + 1_000), address));
        }
    }

    private CallerKeys.TooManyUnknownException refused(String secret, String address) {
        return assertThrows(CallerKeys.TooManyUnknownException.class, () -> find(secret, address));
    }

    @Test
    void answersHoldForHalfAMinute() {
        assertEquals(Optional.of("k1"), find(VALID, ADDRESS));
        assertEquals(Optional.empty(), find(key(2), ADDRESS));
        pass(Duration.ofSeconds(29));
        find(VALID, ADDRESS);
        find(key(2), ADDRESS);
        find("op_no_key", ADDRESS);
        assertEquals(2, asked);
        pass(Duration.ofSeconds(1));
        valid.clear();
        assertEquals(Optional.empty(), find(VALID, ADDRESS), "it was revoked");
    }

    @Test
    void addressMayShowSomeUnknownKeys() {
        guess(ADDRESS, BURST);
        int before = asked;
        var refused = refused(VALID, ADDRESS);
        assertEquals("too many unknown API keys came from this address", refused.getMessage());
        assertEquals(Duration.ofSeconds(2), refused.delay());
        assertEquals(before, asked, "the backend is not asked");
        guess("192.0.2.2", BURST);
        pass(Duration.ofSeconds(2));
        assertEquals(Optional.of("k1"), find(VALID, ADDRESS));
        assertEquals(Optional.empty(), find(key(2), ADDRESS), "the valid key was not counted");
    }

    /** The gateway's own key has a rate, which many addresses could use up. */
    @Test
    void allAddressesTogetherAreLimited() {
        for (int address = 0; address < 10; address++) {
            guess("192.0.2." + address, BURST);
        }
        assertEquals(
                "too many unknown API keys were shown",
                refused(key(2), "198.51.100.1").getMessage());
    }

    @Test
    void knownKeyIsNotRefusedForGuessesOfItsAddress() {
        find(VALID, ADDRESS);
        guess(ADDRESS, BURST);
        pass(Duration.ofSeconds(30));
        assertEquals(Optional.of("k1"), find(VALID, ADDRESS));
    }

    @Test
    void keyThatIsValidNoMoreIsLimitedLikeOthers() {
        find(VALID, ADDRESS);
        guess(ADDRESS, BURST);
        pass(Duration.ofSeconds(30));
        guess(ADDRESS, 15);
        valid.clear();
        assertEquals(Optional.empty(), find(VALID, ADDRESS));
        pass(Duration.ofSeconds(30));
        guess(ADDRESS, 15);
        refused(VALID, ADDRESS);
    }

    @Test
    void keysThatWereValidHoldWhileTheBackendIsAway() {
        find(VALID, ADDRESS);
        isAway = true;
        pass(Duration.ofMinutes(9));
        assertEquals(Optional.of("k1"), find(VALID, ADDRESS));
        for (int i = 0; i < 2 * BURST; i++) {
            assertThrows(UnavailableException.class, () -> find(key(2), ADDRESS));
        }
        pass(Duration.ofMinutes(1));
        assertThrows(UnavailableException.class, () -> find(VALID, ADDRESS));
        isAway = false;
        assertEquals(Optional.of("k1"), find(VALID, ADDRESS));
    }
}
