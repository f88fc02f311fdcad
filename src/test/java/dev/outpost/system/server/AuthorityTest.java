package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.channel.Trust;
import dev.outpost.provider.Endpoint;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a machine with a given certificate, whose clients trust its issuer. */
class AuthorityTest {
    private static final String TOKEN = "given-given-given-given";
    private static final TestCertificateAuthority AUTHORITY = new TestCertificateAuthority("ours");

    private static RuntimeProcess runtime;

    @BeforeAll
    static void start(@TempDir Path folder) {
        AUTHORITY.vouchFor("localhost", folder);
        runtime = RuntimeProcess.start(
                "--certificate",
                folder.resolve("certificate.pem").toString(),
                "--key",
                folder.resolve("key.pem").toString(),
                "OUTPOST_RUNTIME_TOKEN=" + TOKEN);
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Test
    void aCertificateThatTheAuthorityIssuedIsTrusted() {
        assertComputes(endpoint("localhost", new Trust.Authority(AUTHORITY.certificates())));
    }

    @Test
    void itsHashIsTrustedWhateverTheName() {
        assertComputes(endpoint("127.0.0.1", runtime.pin()));
    }

    @Test
    void aCertificateThatAnotherIssuedIsRefused() {
        String others = new TestCertificateAuthority("others").certificates();
        assertRefused(endpoint("localhost", new Trust.Authority(others)), "is not the machine that was asked for");
    }

    @Test
    void aCertificateForAnotherHostIsRefused() {
        assertRefused(
                endpoint("127.0.0.1", new Trust.Authority(AUTHORITY.certificates())),
                "127.0.0.1:" + runtime.port() + " is not the machine that was asked for: "
                        + "No subject alternative names matching IP address 127.0.0.1 found");
    }

    @Test
    void theGivenTokenIsTheSecret() {
        assertEquals(TOKEN, runtime.secret());
        assertFalse(runtime.errors().contains(TOKEN), runtime::errors);
    }

    private static Endpoint endpoint(String host, Trust trust) {
        return new Endpoint.Remote(host, runtime.port(), trust, TOKEN);
    }

    private static void assertComputes(Endpoint endpoint) {
        try (RemoteMachine machine = RemoteMachine.connect(endpoint, new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
    }

    private static void assertRefused(Endpoint endpoint, String why) {
        RemoteMachine machine = RemoteMachine.connect(endpoint, new MachineOptions());
        OutpostException refused = assertThrows(OutpostException.class, machine::awaitReady);
        machine.close();
        assertEquals(FaultKind.USER, refused.kind());
        assertTrue(refused.getMessage().contains(why), refused::getMessage);
    }
}
