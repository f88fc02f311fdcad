package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SocketLaneTest {
    /** As a process that is stopped: its kernel keeps the connection open and nobody reads. */
    @Test
    void closingDoesNotWaitForAMemberThatReadsNothing() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket own = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket stopped = server.accept()) {
            CountDownLatch cut = new CountDownLatch(1);
            SocketLane lane = new SocketLane(connection(own, cut), 1, Duration.ofSeconds(60));
            Thread sending = Thread.ofVirtual().start(() -> sendUntilStuck(lane));
            // The writer is stuck once the messages to be sent stay full.
            while (sending.getState() == Thread.State.RUNNABLE || sending.getState() == Thread.State.NEW) {
                Thread.onSpinWait();
            }
            lane.leave("its session has ended");
            assertTrue(cut.await(20, TimeUnit.SECONDS), "the connection is still open");
            assertTrue(sending.join(Duration.ofSeconds(20)), "who sends still waits");
            assertTrue(stopped.isConnected());
        }
    }

    private static PeerConnection connection(Socket socket, CountDownLatch cut) throws IOException {
        return new PeerConnection(socket.getInputStream(), socket.getOutputStream(), Optional.empty(), () -> {
            socket.close();
            cut.countDown();
        });
    }

    private static void sendUntilStuck(SocketLane lane) {
        try {
            while (true) {
                lane.send(PeerMessage.elements(1, 0, 1, new Slice(new byte[ExchangeRun.PIECE_BYTES])));
            }
        } catch (PeerLostException | InterruptedException closed) {
            // As it is to be.
        }
    }
}
