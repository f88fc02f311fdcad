package dev.outpost.backend.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongAnswersTest {
    private final LongAnswers answers = new LongAnswers();

    private List<Runnable> openAll(LongAnswers.Kind kind, String organisation) {
        List<Runnable> closes = new ArrayList<>();
        for (int i = 0; i < kind.most(); i++) {
            closes.add(answers.open(kind, organisation));
        }
        return closes;
    }

    @Test
    void oneTooManyIsRefusedUntilAnotherIsOver() {
        List<Runnable> closes = openAll(LongAnswers.Kind.LOGS, "acme");
        Problem refused = assertThrows(Problem.class, () -> answers.open(LongAnswers.Kind.LOGS, "acme"));
        assertEquals(Problem.Code.TOO_MANY_REQUESTS, refused.code());
        closes.removeFirst().run();
        closes.add(answers.open(LongAnswers.Kind.LOGS, "acme"));
        assertThrows(Problem.class, () -> answers.open(LongAnswers.Kind.LOGS, "acme"), "a refusal takes no place");
        closes.forEach(Runnable::run);
        assertEquals(
                LongAnswers.Kind.LOGS.most(),
                openAll(LongAnswers.Kind.LOGS, "acme").size());
    }

    @Test
    void logsOfOneOrganisationKeepOutNeitherOthersNorItsEvents() {
        openAll(LongAnswers.Kind.LOGS, "acme");
        answers.open(LongAnswers.Kind.LOGS, "other").run();
        answers.open(LongAnswers.Kind.EVENTS, "acme").run();
    }
}
