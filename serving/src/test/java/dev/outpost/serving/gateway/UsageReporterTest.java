package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.rest.usage.TokenUseBatch;
import dev.outpost.rest.usage.TokenUseBatch.TokenUseRecord;
import dev.outpost.serving.gateway.UsageReporter.Receipt;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageReporterTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T12:00:31Z"), ZoneOffset.UTC);

    /** A backend whose answers the test sets. */
    private static final class Ledger {
        private final List<TokenUseBatch> seen = new ArrayList<>();
        private Receipt answer = Receipt.TAKEN;

        Receipt take(TokenUseBatch batch) {
            seen.add(batch);
            return answer;
        }
    }

    private final Ledger ledger = new Ledger();
    private final UsageReporter reporter = new UsageReporter(true, CLOCK, ledger::take);

    private void use(String key, int promptTokens, int newTokens, long millis) {
        reporter.record(key, "chat", promptTokens, 1, newTokens, Duration.ofMillis(millis));
    }

    @Test
    void textsOfAKeyInAMinuteAreOneRecord() {
        use("a", 10, 5, 700);
        use("a", 20, 6, 800);
        use("b", 1, 1, 10);
        reporter.sendAll();
        assertEquals(1, ledger.seen.size());
        assertEquals(
                List.of(
                        new TokenUseRecord("a", "chat", CLOCK.instant(), 2, 30, 2, 11, 2),
                        new TokenUseRecord("b", "chat", CLOCK.instant(), 1, 1, 1, 1, 1)),
                ledger.seen.getFirst().records());
        reporter.sendAll();
        assertEquals(1, ledger.seen.size(), "nothing is sent where nothing is new");
    }

    /** The backend may have counted a batch whose answer was lost. */
    @Test
    void aBatchThatWasNotAnsweredIsSentAgainAsItIs() {
        use("a", 10, 5, 1000);
        ledger.answer = Receipt.UNANSWERED;
        reporter.sendAll();
        use("a", 100, 50, 1000);
        reporter.sendAll();
        ledger.answer = Receipt.TAKEN;
        reporter.sendAll();
        assertEquals(4, ledger.seen.size());
        assertSame(ledger.seen.get(0), ledger.seen.get(1));
        assertSame(ledger.seen.get(0), ledger.seen.get(2));
        assertNotEquals(ledger.seen.get(0).id(), ledger.seen.get(3).id());
    }

    @Test
    void aBatchThatIsRefusedHoldsUpNoOther() {
        use("a", 10, 5, 1000);
        ledger.answer = Receipt.REFUSED;
        reporter.sendAll();
        ledger.answer = Receipt.TAKEN;
        use("b", 1, 1, 1000);
        reporter.sendAll();
        assertEquals(2, ledger.seen.size());
        assertNotEquals(ledger.seen.get(0), ledger.seen.get(1));
    }

    @Test
    void theRestIsSentWhenTheServerEnds() {
        use("a", 10, 5, 1000);
        reporter.close();
        assertEquals(1, ledger.seen.size());
    }
}
