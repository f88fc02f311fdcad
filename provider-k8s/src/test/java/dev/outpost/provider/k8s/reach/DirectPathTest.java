package dev.outpost.provider.k8s.reach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Trust;
import dev.outpost.provider.k8s.config.AccessMode;
import dev.outpost.provider.k8s.keys.MachineKey;
import dev.outpost.provider.k8s.keys.PrivateKeys;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a pod's address that leads to the machine, to another host, or nowhere. */
class DirectPathTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Its clock is an hour ahead: the dates of a pinned certificate do not matter. */
    private final MachineKey key =
            MachineKey.create(InstantSource.offset(InstantSource.system(), Duration.ofHours(1)), new SecureRandom());

    private ServerSocket server;

    @BeforeEach
    void listen() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(), PASSWORD);
        context.init(keys.getKeyManagers(), null, null);
        server = context.getServerSocketFactory().createServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(this::serve);
    }

    private KeyStore store() throws Exception {
        String certificate = decode(MachineKey.CERTIFICATE);
        Certificate read = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII)));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "machine", PrivateKeys.read(decode(MachineKey.PRIVATE_KEY)), PASSWORD, new Certificate[] {read});
        return store;
    }

    private String decode(String entry) {
        return new String(Base64.getDecoder().decode(key.data().get(entry)), StandardCharsets.US_ASCII);
    }

    private void serve() {
        try {
            while (true) {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    socket.startHandshake();
                } catch (IOException ignored) {
                    if (server.isClosed()) {
                        return;
                    }
                }
            }
        } catch (RuntimeException failure) {
            throw new AssertionError(failure);
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private Pod pod() {
        return pod(server.getLocalPort());
    }

    /** A socket that is bound and does not listen refuses connections, and no other program gets its port. */
    private static Socket refusing() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress("127.0.0.1", 0));
        return socket;
    }

    private static Pod pod(int port) {
        return new PodBuilder()
                .withNewSpec()
                .addNewContainer()
                .addNewPort()
                .withName("session")
                .withContainerPort(port)
                .endPort()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPodIP("127.0.0.1")
                .endStatus()
                .build();
    }

    @Test
    void machineWithThatCertificateIsReached() {
        assertEquals(
                Optional.of(new Address("127.0.0.1", server.getLocalPort())), MachineRoutes.direct(pod(), key.pin()));
        assertTrue(DirectPath.answers("127.0.0.1", server.getLocalPort()));
    }

    @Test
    void anotherHostAtThatAddressIsNot() {
        Trust.Pin other =
                MachineKey.create(InstantSource.system(), new SecureRandom()).pin();
        assertEquals(Optional.empty(), MachineRoutes.direct(pod(), other));
        assertEquals(Optional.of(DirectPath.Outcome.UNREACHED), MachineRoutes.attempt(pod(), other));
    }

    @Test
    void nobodyAtThatAddressIsNot() throws IOException {
        try (Socket refusing = refusing()) {
            Pod pod = pod(refusing.getLocalPort());
            assertEquals(Optional.empty(), MachineRoutes.direct(pod, key.pin()));
            assertEquals(Optional.of(DirectPath.Outcome.REFUSED), MachineRoutes.attempt(pod, key.pin()));
            assertFalse(DirectPath.answers("127.0.0.1", refusing.getLocalPort()));
        }
    }

    @Test
    void machineThatListensAnswersBeforeItsPodIsReady() throws IOException {
        EarlyPath early = EarlyPath.to(key.pin(), AccessMode.AUTO);
        try (Socket refusing = refusing()) {
            assertFalse(early.leadsTo(pod(refusing.getLocalPort())));
        }
        assertTrue(early.isPromising(), "the runtime may listen soon");
        assertTrue(early.leadsTo(pod()));
    }

    @Test
    void podWithoutAnAddressMayGetOne() {
        Pod pod = pod().edit().editStatus().withPodIP(null).endStatus().build();
        EarlyPath early = EarlyPath.to(key.pin(), AccessMode.POD_IP);
        assertFalse(early.leadsTo(pod));
        assertTrue(early.isPromising());
    }

    @Test
    void anotherHostAtTheAddressEndsTheAttempts() {
        Trust.Pin other =
                MachineKey.create(InstantSource.system(), new SecureRandom()).pin();
        EarlyPath early = EarlyPath.to(other, AccessMode.AUTO);
        assertFalse(early.leadsTo(pod()));
        assertFalse(early.isPromising());
    }

    @Test
    void aChosenWayIsNotLeft() {
        EarlyPath early = EarlyPath.to(key.pin(), AccessMode.PORT_FORWARD);
        assertFalse(early.isPromising());
        assertFalse(early.leadsTo(pod()));
    }
}
