package dev.outpost.provider.k8s.task;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PollingSettingsTest {
    @Test
    void unansweredRequestLeavesTimeForAnother() {
        Duration request = Duration.ofMillis(Config.empty().getRequestTimeout());
        assertTrue(PollingSettings.STANDARD.operation().compareTo(request.multipliedBy(2)) > 0);
    }
}
