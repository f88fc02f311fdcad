package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ColdStartTimerTest {
    private long now;
    private final ColdStartTimer tokens = new ColdStartTimer(() -> now);

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void theFirstRequestThatWaitsIsTheBegin() {
        tokens.asked("chat");
        pass(3);
        tokens.asked("chat");
        pass(4);
        tokens.made("chat");
        tokens.made("chat");
        assertEquals(Optional.of(Duration.ofSeconds(7)), tokens.take("chat"));
        assertEquals(Optional.empty(), tokens.take("chat"), "it is told once");
    }

    @Test
    void tokensOfReplicasThatServeAlreadyCountNothing() {
        tokens.made("chat");
        assertEquals(Optional.empty(), tokens.take("chat"));
        tokens.asked("chat");
        tokens.made("other");
        tokens.forget("chat");
        tokens.made("chat");
        assertEquals(Optional.empty(), tokens.take("chat"));
    }

    @Test
    void timeThatCouldNotBeToldIsToldLater() {
        tokens.asked("chat");
        pass(2);
        tokens.made("chat");
        Duration took = tokens.take("chat").orElseThrow();
        tokens.putBack("chat", took);
        assertEquals(Optional.of(Duration.ofSeconds(2)), tokens.take("chat"));
    }
}
