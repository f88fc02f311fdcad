package dev.outpost.provider.k8s.reach;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the messages of a node, and the bytes that the program at the other end reads. */
class ForwardedConnectionTest {
    private static final int PORT = 50051;
    private static final byte[] GREETING = {(byte) PORT, (byte) (PORT >> 8)};
    private static final byte DATA = 0;
    private static final byte ERROR = 1;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Node node = new Node();
    private Socket program;
    private ForwardedConnection connection;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            program = new Socket(server.getInetAddress(), server.getLocalPort());
            connection = new ForwardedConnection(server.accept(), PORT, ignored -> closed.countDown());
        }
        connection.onOpen(node);
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        program.close();
    }

    @Test
    void portGreetingsAreNotData() throws Exception {
        node.say(DATA, GREETING);
        node.say(ERROR, GREETING);
        node.say(DATA, 1, 2, 3);
        assertRead(1, 2, 3);
    }

    /** The client library loses messages that arrive before its handlers are set. */
    @Test
    void dataPassWithoutGreetings() throws Exception {
        node.say(DATA, 22, 3, 3, 0);
        node.say(DATA, 5);
        assertRead(22, 3, 3, 0, 5);
    }

    @Test
    void twoBytesThatNameAnotherPortAreData() throws Exception {
        node.say(DATA, 1, 2);
        assertRead(1, 2);
    }

    @Test
    void aPortThatIsNamedOnceMoreIsData() throws Exception {
        node.say(DATA, GREETING);
        node.say(DATA, GREETING);
        assertArrayEquals(GREETING, program.getInputStream().readNBytes(GREETING.length));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whyTheNodesEndBrokeEndsTheConnection(boolean greeted) throws Exception {
        if (greeted) {
            node.say(ERROR, GREETING);
        }
        node.say(ERROR, "connection refused".getBytes(StandardCharsets.UTF_8));
        assertEnded();
    }

    @Test
    void aChannelThatDoesNotExistEndsTheConnection() throws Exception {
        node.say((byte) 2, 1, 2, 3);
        assertEnded();
    }

    @Test
    void writesGoToTheDataChannel() throws Exception {
        program.getOutputStream().write(new byte[] {7, 8});
        assertArrayEquals(new byte[] {DATA, 7, 8}, node.received.take());
    }

    /** The WebSocket was closed before a listener was set. */
    @Test
    void aWebSocketThatTakesNothingEndsTheConnection() throws Exception {
        node.takes = false;
        program.getOutputStream().write(1);
        assertEnded();
    }

    @Test
    void aProgramThatHangsUpEndsTheConnection() throws Exception {
        program.close();
        Await.opened("the connection is closed", closed);
        Await.opened("the WebSocket is closed", node.ended);
    }

    private void assertRead(int... bytes) throws IOException {
        assertArrayEquals(Node.bytes(bytes), program.getInputStream().readNBytes(bytes.length));
        assertFalse(program.isClosed());
    }

    private void assertEnded() throws Exception {
        assertEquals(-1, program.getInputStream().read());
        Await.opened("the connection is closed", closed);
        Await.opened("the WebSocket is closed", node.ended);
    }

    /** The other end of the WebSocket; it sends a message once the previous one was received. */
    private final class Node implements WebSocket {
        private final Semaphore requested = new Semaphore(1);
        private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile boolean takes = true;

        void say(byte channel, int... bytes) throws InterruptedException {
            say(channel, bytes(bytes));
        }

        void say(byte channel, byte[] bytes) throws InterruptedException {
            Await.acquired("the message before is taken", requested);
            connection.onMessage(
                    this,
                    ByteBuffer.allocate(1 + bytes.length)
                            .put(channel)
                            .put(bytes)
                            .flip());
        }

        static byte[] bytes(int... values) {
            byte[] bytes = new byte[values.length];
            for (int i = 0; i < values.length; i++) {
                bytes[i] = (byte) values[i];
            }
            return bytes;
        }

        @Override
        public boolean send(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return takes && received.add(bytes);
        }

        @Override
        public boolean sendClose(int code, String reason) {
            ended.countDown();
            return true;
        }

        @Override
        public long queueSize() {
            return 0;
        }

        @Override
        public void request() {
            requested.release();
        }
    }
}
