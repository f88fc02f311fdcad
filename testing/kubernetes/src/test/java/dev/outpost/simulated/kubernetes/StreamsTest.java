package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.node.ContainerStart;
import dev.outpost.simulated.kubernetes.node.PodFailure;
import dev.outpost.simulated.kubernetes.node.RunningContainer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests logs and forwarded ports, with a container that sends back the received bytes. */
class StreamsTest {
    private static final int BYTES = 3 << 20;

    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = ClusterConnection.client(cluster.config());
    private final SampleMachine machine = new SampleMachine(cluster.client());
    private volatile Echo echo;

    @BeforeEach
    void echo() {
        cluster.runWith(start -> echo = new Echo(start));
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void bytesGoThroughAForwardedPortBothWays() throws Exception {
        byte[] sent = new byte[BYTES];
        new Random(1).nextBytes(sent);
        try (LocalPortForward forward = forward(ready(), 50051);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort())) {
            Thread writer = Thread.ofVirtual().start(() -> write(socket, sent));
            assertArrayEquals(sent, socket.getInputStream().readNBytes(BYTES));
            writer.join();
        }
    }

    @Test
    void severalConnectionsGoThroughAForwardedPort() throws Exception {
        try (LocalPortForward forward = forward(ready(), 50051)) {
            for (String word : List.of("one", "two")) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort())) {
                    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                    write(socket, bytes);
                    assertArrayEquals(bytes, socket.getInputStream().readNBytes(bytes.length));
                }
            }
        }
    }

    @Test
    void aPortOnWhichNobodyListensIsAnError() throws Exception {
        try (LocalPortForward forward = forward(ready(), 50059);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort())) {
            assertEquals(-1, socket.getInputStream().read());
            ClusterAwait.until("the error is told", forward::errorOccurred);
            String error = forward.getServerThrowables().iterator().next().getMessage();
            assertTrue(error.contains("error forwarding port 50059 to pod machine-1-"), error);
        }
    }

    @Test
    void aForwardedConnectionEndsWithItsPod() throws Exception {
        try (LocalPortForward forward = forward(ready(), 50051);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), forward.getLocalPort())) {
            write(socket, new byte[] {1});
            assertEquals(1, socket.getInputStream().read());
            cluster.pods().fail(SampleMachine.NAME, new PodFailure.Killed());
            assertEquals(-1, socket.getInputStream().read());
        }
    }

    // ---- logs

    @Test
    void theLastLinesOfALogCanBeHad() {
        Pod pod = ready();
        List.of("one", "two", "three").forEach(echo.start.log()::add);
        assertEquals("two\nthree\n", client.pods().resource(pod).tailingLines(2).getLog());
    }

    @Test
    void aLogIsFollowedToItsEnd() throws IOException {
        Pod pod = ready();
        echo.start.log().add("one");
        try (LogWatch watch = client.pods().resource(pod).watchLog();
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(watch.getOutput(), StandardCharsets.UTF_8))) {
            assertEquals("one", lines.readLine());
            echo.start.log().add("two");
            assertEquals("two", lines.readLine());
            cluster.pods().fail(SampleMachine.NAME, new PodFailure.Crash(1, List.of("three")));
            assertEquals("three", lines.readLine());
            assertEquals(null, lines.readLine());
        }
    }

    @Test
    void thereIsNoLogBeforeTheContainerHasStarted() {
        cluster.pods().failNext(new PodFailure.Hang("FailedMount", "no volume"));
        machine.start();
        Pod pod = ClusterAwait.present(
                "the pod waits",
                () -> machine.findPod()
                        .filter(found ->
                                !found.getStatus().getContainerStatuses().isEmpty()));
        KubernetesClientException refused = assertThrows(
                KubernetesClientException.class,
                () -> client.pods().resource(pod).getLog());
        assertEquals(
                "container \"machine\" in pod \"" + pod.getMetadata().getName()
                        + "\" is waiting to start: ContainerCreating",
                refused.getStatus().getMessage());
    }

    private Pod ready() {
        machine.start();
        return machine.ready();
    }

    private LocalPortForward forward(Pod pod, int port) {
        return client.pods().resource(pod).portForward(port);
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    /** Sends back the received bytes. */
    private static final class Echo implements RunningContainer {
        private final ContainerStart start;
        private final ServerSocket server = new ServerSocket();
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final List<Socket> open = new java.util.concurrent.CopyOnWriteArrayList<>();

        private Echo(ContainerStart start) throws IOException {
            this.start = start;
            server.bind(new InetSocketAddress(start.address(), 50051));
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    open.add(socket);
                    Thread.ofVirtual().start(() -> echo(socket));
                }
            } catch (IOException ignored) {
                exit.complete(137);
            }
        }

        private static void echo(Socket socket) {
            try (socket) {
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException ignored) {
                // The other end has closed it.
            }
        }

        @Override
        public CompletableFuture<Void> ready() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit;
        }

        @Override
        public void terminate() {
            kill();
        }

        @Override
        public void kill() {
            try {
                server.close();
                for (Socket socket : open) {
                    socket.close();
                }
            } catch (IOException failure) {
                throw new java.io.UncheckedIOException(failure);
            }
        }
    }
}
