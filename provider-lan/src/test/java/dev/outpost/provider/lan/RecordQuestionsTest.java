package dev.outpost.provider.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RecordQuestionsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RecordQuestions questions = new RecordQuestions(0);

    private int asked(String prefix, int names, long nanos) {
        int asked = 0;
        for (int name = 0; name < names; name++) {
            asked += questions.mayAsk(prefix + name, nanos) ? 1 : 0;
        }
        return asked;
    }

    /** One packet with two thousand names made each client ask for all of them, every second. */
    @Test
    void manyNamesAreAskedFewTimesASecond() {
        int asked = 0;
        for (int second = 1; second <= 10; second++) {
            asked += asked("junk", 2000, second * SECOND);
        }
        assertTrue(asked <= 2000 + 10 * RecordQuestions.AGAIN_PER_SECOND, "asked " + asked);
    }

    @Test
    void namesThatDoNotAnswerMakeRoomForOthers() {
        int seconds = 0;
        do {
            seconds++;
            asked("junk", 2000, seconds * SECOND);
        } while (!questions.mayAsk("worker", seconds * SECOND) && seconds < 120);
        assertTrue(seconds <= 10, "asked after " + seconds + " s");
    }

    @Test
    void nameIsAskedAtOnceAndInTheNextRoundAndThenMoreSeldom() {
        int asked = 0;
        for (int second = 0; second < 64; second++) {
            asked += asked("silent", 1, second * SECOND);
        }
        assertEquals(7, asked);
        questions.answered("silent0");
        assertEquals(1, asked("silent", 1, 64 * SECOND));
    }
}
