package dev.outpost.provider.k8s.credentials;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.credentials.ExecPlugin.Credential;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clock of this host may be wrong by hours. */
@Tag("quick")
class ExecTokenTest {
    private static final Instant ISSUED = Instant.parse("2026-03-01T12:00:00Z");

    private Instant now = ISSUED;
    private long nanos;
    private int runs;
    private final ExecToken token = new ExecToken(this::run, run(), () -> now, () -> nanos);

    /** A token that is valid for ten minutes. */
    private Credential run() {
        runs++;
        return new Credential(
                Optional.of("token-" + runs),
                Optional.empty(),
                Optional.empty(),
                Optional.of(ISSUED.plus(Duration.ofMinutes(10)).plusNanos(nanos)));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
        now = now.plus(time);
    }

    @Test
    void tokenIsFetchedAgainOnceItHasExpired() {
        pass(Duration.ofMinutes(9));
        assertEquals("token-1", token.token());
        pass(Duration.ofMinutes(1));
        assertEquals("token-2", token.token());
        assertEquals("token-2", token.token());
    }

    @Test
    void clockThatIsAnHourAheadDoesNotRunThePluginForEachRequest() {
        now = now.plus(Duration.ofHours(1));
        assertEquals("token-1", token.token());
        pass(Duration.ofSeconds(59));
        assertEquals("token-1", token.token());
        pass(Duration.ofSeconds(1));
        assertEquals("token-2", token.token());
        assertEquals("token-2", token.token());
    }

    @Test
    void clockThatIsAnHourBehindLearnsOfTheEndFromTheServer() {
        now = now.minus(Duration.ofHours(1));
        pass(Duration.ofMinutes(11));
        assertEquals("token-1", token.token());
        assertEquals("token-2", token.renewed("token-1"));
        assertEquals("token-2", token.renewed("token-1"), "another request was refused for the same token");
    }
}
