package dev.outpost.channel;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A variable that Kubernetes sets for a Service is not taken for a setting. */
@Tag("quick")
class ServiceLinksTest {
    private static final String PROPERTY = "outpost.runtime.management-port";
    private static final String VARIABLE = "OUTPOST_RUNTIME_MANAGEMENT_PORT";

    @ParameterizedTest
    @ValueSource(strings = {"tcp://10.96.0.7:443", "tcp://[fd00:10:96::7]:443", "udp://10.96.0.7:53"})
    void linkIsRefusedWithTheServiceAndTheRemedy(String link) {
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class,
                () -> ServiceLinks.refuse(PROPERTY, new Properties(), Map.of(VARIABLE, link)));
        assertEquals(
                "OUTPOST_RUNTIME_MANAGEMENT_PORT is \"" + link + "\", which Kubernetes sets for the Service"
                        + " outpost-runtime-management; the variable is also a setting: set enableServiceLinks: false in the"
                        + " pod, or give the variable a value in its container",
                refusal.getMessage());
    }

    @Test
    void valuesAndOptionsAreTaken() {
        assertDoesNotThrow(() -> ServiceLinks.refuse(PROPERTY, new Properties(), Map.of()));
        assertDoesNotThrow(() -> ServiceLinks.refuse(PROPERTY, new Properties(), Map.of(VARIABLE, "50052")));
        Properties option = new Properties();
        option.setProperty(PROPERTY, "50052");
        assertDoesNotThrow(() -> ServiceLinks.refuse(PROPERTY, option, Map.of(VARIABLE, "tcp://10.96.0.7:443")));
    }
}
