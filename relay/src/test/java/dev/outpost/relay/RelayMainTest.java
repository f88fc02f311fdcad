package dev.outpost.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the message of the command if it cannot start. */
class RelayMainTest {
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        CommandLine command = RelayMain.commandLine().setErr(new PrintWriter(errors, true));
        return command.execute(arguments);
    }

    @Test
    void withoutASecretItDoesNotStart() {
        assertEquals(1, run("--port", "0"));
        assertEquals(
                "outpost relay: OUTPOST_RELAY_SECRET is not set: it holds the backend's secret; ./outpost relay"
                        + " --new-secret creates one",
                errors.toString().strip());
    }

    @Test
    void textThatIsNoNumberIsAWrongUse() {
        assertEquals(2, run("--port", "many"));
        assertTrue(errors.toString().startsWith("Invalid value for option '--port': 'many'"), errors::toString);
    }

    @Test
    void serviceLinkInThePlaceOfThePortIsExplained() {
        assertEquals(2, run("--port", "tcp://10.96.0.7:443"));
        assertEquals(
                "outpost relay: OUTPOST_RELAY_PORT is \"tcp://10.96.0.7:443\", which Kubernetes sets for the Service"
                        + " outpost-relay; the variable is also a setting: set enableServiceLinks: false in the pod, or give the"
                        + " variable a value in its container",
                errors.toString().strip());
    }

    @Test
    void anOptionThatItDoesNotHaveIsNamed() {
        assertEquals(2, run("--decrypt"));
        assertTrue(errors.toString().contains("Unknown option: '--decrypt'"), errors::toString);
    }
}
