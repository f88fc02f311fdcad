package dev.outpost.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class EndpointAddressTest {
    private static final String HASH = "0123456789abcdef".repeat(4);
    private static final ConnectionProbe REACHABLE = (host, port) -> Optional.empty();
    private static final String TOKEN = "s3cret." + HASH;

    @ParameterizedTest
    @CsvSource({"gpu.example:50051,gpu.example,50051", "10.0.0.7:1,10.0.0.7,1", "[fe80::1]:65535,fe80::1,65535"})
    void readsAHostAndAPort(String address, String host, int port) {
        assertEquals(
                new Endpoint.Remote(host, port, new Trust.Pin(HASH), "s3cret"),
                EndpointAddress.parse(address, TOKEN, null));
    }

    @Test
    void readsASocketWithoutAToken() {
        assertEquals(
                new Endpoint.Local(Path.of("/run/outpost.sock")),
                EndpointAddress.parse("unix:/run/outpost.sock", null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "gpu.example",
                "gpu.example:",
                ":50051",
                "gpu.example:fifty",
                "fe80::1:50051",
                "a:1:2",
                "https://gpu.example:1",
                "my gpu:1"
            })
    void refusesWhatIsNoAddress(String address) {
        assertProblem("endpoint: expected host:port or unix:/path, got \"" + address + "\"", address, TOKEN, null);
    }

    @Test
    void refusesPortsThatAreNone() {
        assertProblem("port: expected 1 to 65535, got 0", "gpu.example:0", TOKEN, null);
        assertProblem("port: expected 1 to 65535, got 65536", "gpu.example:65536", TOKEN, null);
    }

    @ParameterizedTest
    @CsvSource({"gpu.example,endpoint: expected", "gpu.example:99999,port: expected"})
    void complainsAboutTheAddressBeforeTheToken(String address, String problem) {
        for (String token : Arrays.asList(null, "s3cret", "no token")) {
            var refused = assertThrows(
                    IllegalArgumentException.class, () -> EndpointAddress.parse(address, token, null, REACHABLE));
            assertTrue(refused.getMessage().startsWith(problem), refused.getMessage());
        }
    }

    @Test
    void missingHostIsReportedBeforeTheToken() {
        for (String token : Arrays.asList(null, "s3cret", "no token")) {
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> EndpointAddress.parse(
                            "gpu.example:1", token, null, (host, port) -> Optional.of(host + " is away")));
            assertEquals("endpoint: gpu.example:1 cannot be reached: gpu.example is away", refused.getMessage());
        }
        EndpointAddress.parse("gpu.example:1", TOKEN, null, (host, port) -> Optional.of("a good token needs no look"));
    }

    @Test
    void knocksAtAPort() throws IOException {
        try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(Optional.empty(), ConnectionProbe.atTheDoor("127.0.0.1", open.getLocalPort()));
        }
        assertTrue(ConnectionProbe.atTheDoor("127.0.0.1", 1).isPresent());
        assertEquals(Optional.of("no host is called outpost.invalid"), ConnectionProbe.atTheDoor("outpost.invalid", 1));
    }

    @Test
    void asksForTheToken() {
        assertProblem(
                "token: endpoint gpu.example:1 needs one; the machine printed it when it started",
                "gpu.example:1",
                null,
                null);
    }

    @Test
    void aTokenWithoutAHashNeedsAnAuthority(@TempDir Path folder) throws IOException {
        Path certificates = Files.writeString(
                folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertEquals(
                new Endpoint.Remote("gpu.example", 1, new Trust.Authority(Files.readString(certificates)), "s3cret"),
                EndpointAddress.parse("gpu.example:1", "s3cret", certificates));
        assertProblem(
                "token: it names no certificate, so OUTPOST_CA must name a file with the certificates of an authority"
                        + " to trust",
                "gpu.example:1",
                "s3cret",
                null);
        Path missing = folder.resolve("missing.pem");
        assertProblem(
                "authority: " + missing + " cannot be read: java.nio.file.NoSuchFileException: " + missing,
                "gpu.example:1",
                "s3cret",
                missing);
    }

    private static void assertProblem(String problem, String address, String token, Path authority) {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> EndpointAddress.parse(address, token, authority, REACHABLE));
        assertEquals(problem, refused.getMessage());
    }
}
