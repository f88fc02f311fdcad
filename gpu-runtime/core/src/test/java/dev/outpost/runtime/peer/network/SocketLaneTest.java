package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.ExchangeRun;
import dev.outpost.runtime.peer.PeerLostException;
import dev.outpost.support.tests.Await;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SocketLaneTest {
    /** More bytes than the kernel's buffers of a connection can hold. */
    private static final long MAX_OF_ENDLESS = 1L << 30;

    /** The code of a message that has elements. */
    private static final int ELEMENTS = 1;

    /** Like a stopped process: its kernel keeps the connection open, and no thread reads. */
    @Test
    void closingDoesNotWaitForAMemberThatReadsNothing() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket own = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket stopped = server.accept()) {
            CountDownLatch cut = new CountDownLatch(1);
            SocketLane lane = new SocketLane(connection(own, cut), 1, Await.GUARD);
            Thread sending = Thread.ofVirtual().start(() -> sendUntilStuck(lane));
            // The writer is stuck once the messages to be sent stay full.
            Await.until(
                    "the sender waits",
                    () -> sending.getState() != Thread.State.RUNNABLE && sending.getState() != Thread.State.NEW);
            lane.leave("its session has ended");
            Await.opened("the connection is cut", cut);
            Await.ended("the sender waits no more", sending);
            assertTrue(stopped.isConnected());
        }
    }

    /** Writes raw bytes to the connection, so that none of our own code limits the sender. */
    @Test
    void aMemberThatSendsWithoutEndIsCutOff() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket own = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket endless = server.accept()) {
            SocketLane lane = new SocketLane(connection(own, new CountDownLatch(1)), 1, Await.GUARD);
            lane.expect(1, 1, ExchangeRun.PIECE_BYTES);
            long sent = sendUntilCutOff(endless);
            assertTrue(sent < MAX_OF_ENDLESS, () -> sent + " bytes were taken");
            lane.expect(2, 1, 0);
            PeerLostException told = assertThrows(PeerLostException.class, () -> lane.receive(2, 0));
            assertTrue(told.getMessage().contains("member 1 sent more than expected for exchange 1"), told::getMessage);
        }
    }

    private static long sendUntilCutOff(Socket socket) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] piece = new byte[ExchangeRun.PIECE_BYTES];
        long sent = 0;
        try {
            while (sent < MAX_OF_ENDLESS) {
                out.writeByte(ELEMENTS);
                out.writeLong(1);
                out.writeLong(1);
                out.writeInt(0);
                out.writeInt(piece.length);
                out.write(piece);
                sent += piece.length;
            }
        } catch (SocketException ignored) {
            // This is expected.
        }
        return sent;
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
        } catch (PeerLostException | InterruptedException ignored) {
            // This is expected.
        }
    }
}
