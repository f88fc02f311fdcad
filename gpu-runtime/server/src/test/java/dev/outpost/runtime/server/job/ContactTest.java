package dev.outpost.runtime.server.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ContactTest {
    @Test
    void silenceCountsFromTheQuestionThatWasAnswered() {
        AtomicLong nanos = new AtomicLong();
        Contact contact = new Contact(nanos::get);
        Contact.Question question = contact.question();
        nanos.addAndGet(Duration.ofSeconds(4).toNanos());
        question.answered();
        assertEquals(Duration.ofSeconds(4), contact.silence());
        contact.question().answered();
        assertEquals(Duration.ZERO, contact.silence());
    }

    @Test
    void silenceCountsFromTheLastAttempt() {
        AtomicLong nanos = new AtomicLong();
        Contact contact = new Contact(nanos::get);
        Contact.Question question = contact.question();
        nanos.addAndGet(Duration.ofHours(4).toNanos());
        question.ask();
        question.answered();
        assertEquals(Duration.ZERO, contact.silence());
    }

    @Test
    void hostsClockGoesForward() {
        assertTrue(!Contact.ofThisHost().silence().isNegative());
    }
}
