package dev.outpost.runtime.peer.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.support.tests.Await;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests a lane whose other side has closed the connection. */
class RefusedWriteTest {
    private static final int BREAK = 4;

    private final CompletableFuture<Thread> refused = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Refuses all bytes, as a socket whose other end was closed. */
    private final class Refusing extends OutputStream {
        @Override
        public void write(int each) throws IOException {
            refused.complete(Thread.currentThread());
            throw new IOException("Broken pipe");
        }
    }

    /** Words that can be read once the thread whose write was refused waits, unless the connection is closed by then. */
    private final class Late extends InputStream {
        private final byte[] words;
        private int at;

        Late(byte[] words) {
            this.words = words;
        }

        @Override
        public int read() throws IOException {
            Thread writer = refused.join();
            Await.until(
                    "the writer waits, or has closed the connection",
                    () -> closed.getCount() == 0
                            || !writer.isAlive()
                            || writer.getState() == Thread.State.TIMED_WAITING);
            if (closed.getCount() == 0) {
                throw new IOException("Socket closed");
            }
            return at < words.length ? words[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int first = read();
            if (first < 0) {
                return -1;
            }
            into[from] = (byte) first;
            int more = Math.min(length - 1, words.length - at);
            System.arraycopy(words, at, into, from + 1, more);
            at += more;
            return more + 1;
        }
    }

    private static byte[] breaking(String reason) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        out.writeByte(BREAK);
        out.writeInt(text.length);
        out.write(text);
        return bytes.toByteArray();
    }

    private String brokenBy(byte[] words) throws Exception {
        PeerConnection connection =
                new PeerConnection(new Late(words), new Refusing(), Optional.empty(), closed::countDown);
        SocketLane lane = new SocketLane(connection, 0, Await.GUARD);
        CompletableFuture<String> reason = new CompletableFuture<>();
        lane.whenBroken(reason::complete);
        lane.send(PeerMessage.ready(1, 1));
        return Await.result("the lane is broken", reason);
    }

    @Test
    void theReasonThatTheOtherSideGaveCountsAndNotTheWriteThatWasRefused() throws Exception {
        assertEquals("member 2 is gone: killed", brokenBy(breaking("member 2 is gone: killed")));
    }

    @Test
    void withoutAReasonTheConnectionBroke() throws Exception {
        assertEquals("member 0 is gone: the connection broke: it was closed by the other side", brokenBy(new byte[0]));
    }
}
