package dev.outpost.backend.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.worker.WorkerSecret.Kind;
import java.security.SecureRandom;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class WorkerSecretTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @Test
    void secretTextRoundTrips() {
        for (Kind kind : Kind.values()) {
            WorkerSecret drawn = WorkerSecret.draw(kind, "lab-2", RANDOM);
            assertEquals(Optional.of(drawn), WorkerSecret.parse(drawn.text()));
            assertTrue(drawn.matches(WorkerSecret.hash(drawn.text())));
        }
    }

    @Test
    void codeIsNotAcceptedAsKey() {
        WorkerSecret code = WorkerSecret.draw(Kind.CODE, "lab", RANDOM);
        WorkerSecret key = new WorkerSecret(Kind.KEY, "lab", code.secret());
        assertFalse(key.matches(code.hash()));
        assertFalse(new WorkerSecret(Kind.CODE, "other", code.secret()).matches(code.hash()));
    }

    @Test
    void malformedSecretIsNotParsed() {
        for (String text :
                new String[] {"", "wk_lab", "wx_lab_" + "a".repeat(43), "wk_La b_" + "a".repeat(43), "wk_lab_short"}) {
            assertEquals(Optional.empty(), WorkerSecret.parse(text), text);
        }
    }

    @Test
    void secretIsNotPrinted() {
        WorkerSecret drawn = WorkerSecret.draw(Kind.KEY, "lab", RANDOM);
        assertFalse(drawn.toString().contains(drawn.secret()));
    }
}
