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
import java.util.List;
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
    private static final ConnectionProbe SOMEBODY = (host, port) -> Optional.empty();
    private static final Optional<String> TOKEN = Optional.of("s3cret." + HASH);

    @ParameterizedTest
    @CsvSource({"gpu.example:50051,gpu.example,50051", "10.0.0.7:1,10.0.0.7,1", "[fe80::1]:65535,fe80::1,65535"})
    void readsAHostAndAPort(String address, String host, int port) {
        assertEquals(
                new Endpoint.Remote(host, port, new Trust.Pin(HASH), "s3cret"),
                EndpointAddress.parse(address, TOKEN, Optional.empty()));
    }

    @Test
    void readsASocketWithoutAToken() {
        assertEquals(
                new Endpoint.Local(Path.of("/run/outpost.sock")),
                EndpointAddress.parse("unix:/run/outpost.sock", Optional.empty(), Optional.empty()));
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
        assertProblem(
                "endpoint: expected host:port or unix:/path, got \"" + address + "\"",
                address,
                TOKEN,
                Optional.empty());
    }

    @Test
    void refusesPortsThatAreNone() {
        assertProblem("port: expected 1 to 65535, got 0", "gpu.example:0", TOKEN, Optional.empty());
        assertProblem("port: expected 1 to 65535, got 65536", "gpu.example:65536", TOKEN, Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({"gpu.example,endpoint: expected", "gpu.example:99999,port: expected"})
    void complainsAboutTheAddressBeforeTheToken(String address, String problem) {
        for (Optional<String> token :
                List.of(Optional.<String>empty(), Optional.of("s3cret"), Optional.of("no token"))) {
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> EndpointAddress.parse(address, token, Optional.empty(), SOMEBODY));
            assertTrue(refused.getMessage().startsWith(problem), refused.getMessage());
        }
    }

    @Test
    void missingHostIsReportedBeforeTheToken() {
        for (Optional<String> token :
                List.of(Optional.<String>empty(), Optional.of("s3cret"), Optional.of("no token"))) {
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> EndpointAddress.parse(
                            "gpu.example:1", token, Optional.empty(), (host, port) -> Optional.of(host + " is away")));
            assertEquals("endpoint: gpu.example:1 cannot be reached: gpu.example is away", refused.getMessage());
        }
        Optional<Path> none = Optional.empty();
        EndpointAddress.parse("gpu.example:1", TOKEN, none, (host, port) -> Optional.of("a good token needs no look"));
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
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void aTokenWithoutAHashNeedsAnAuthority(@TempDir Path folder) throws IOException {
        Path certificates = Files.writeString(
                folder.resolve("ca.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertEquals(
                new Endpoint.Remote("gpu.example", 1, new Trust.Authority(Files.readString(certificates)), "s3cret"),
                EndpointAddress.parse("gpu.example:1", Optional.of("s3cret"), Optional.of(certificates)));
        assertProblem(
                "token: it names no certificate, so OUTPOST_CA must name a file with the certificates of an authority"
                        + " to trust",
                "gpu.example:1",
                Optional.of("s3cret"),
                Optional.empty());
        Path missing = folder.resolve("missing.pem");
        assertProblem(
                "authority: " + missing + " cannot be read: java.nio.file.NoSuchFileException: " + missing,
                "gpu.example:1",
                Optional.of("s3cret"),
                Optional.of(missing));
    }

    private static void assertProblem(
            String problem, String address, Optional<String> token, Optional<Path> authority) {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> EndpointAddress.parse(address, token, authority, SOMEBODY));
        assertEquals(problem, refused.getMessage());
    }
}
