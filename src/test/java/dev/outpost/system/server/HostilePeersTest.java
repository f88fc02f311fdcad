package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests peers that take as many resources as they can, over real connections; a correct client beside them gets its answers. */
class HostilePeersTest {
    /** The budget of CPU time. */
    private static final Duration BUDGET = Duration.ofSeconds(20);

    private static final int OF_A_PEER = 640;

    private static RuntimeProcess runtime;

    @BeforeAll
    static void start() {
        runtime = RuntimeProcess.start();
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Test
    void freesOnTheBulkLaneDoNotBlockOthers() throws Exception {
        byte[] one =
                new ToRuntime.Free(LongStream.range(2, 2 + Message.MAX_FREED).toArray()).encode();
        ByteWriter payload = new ByteWriter();
        for (int message = 0; message < 1800; message++) {
            payload.bytes(one);
        }
        try (RawConnection hostile = RawConnection.greeted(runtime);
                RawConnection early = RawConnection.open(runtime)) {
            Duration before = runtime.cpuTime();
            hostile.bulk.send(new Frame.Data(Lane.BULK, 1, 0, payload.toByteArray()).encode());
            early.bulk.send(new Frame.Data(Lane.BULK, 1, 0, payload.toByteArray()).encode());
            assertOthersWork();
            assertEquals(
                    "malformed input: Free does not belong on this lane",
                    hostile.end().getFault().getMessage());
            Duration spent = runtime.cpuTime().minus(before);
            assertTrue(spent.compareTo(BUDGET) < 0, () -> "it computed for " + spent);
        }
        assertTrue(runtime.isAlive());
    }

    @Test
    void halfOpenConnectionsDoNotExcludeOthers() throws Exception {
        List<ManagedChannel> transports = new ArrayList<>();
        try {
            for (int transport = 0; transport < 40; transport++) {
                transports.add(RawChannel.to(runtime));
                for (int call = 0; call < 8; call++) {
                    String number = UUID.randomUUID().toString();
                    RawLane.start(
                            transports.getLast(),
                            RuntimeCalls.of(Lane.CONTROL),
                            RawConnection.headers(number, runtime.secret()));
                }
            }
            try (RawConnection healthy = RawConnection.open(runtime)) {
                Await.within("a healthy client is welcomed", () -> {
                    healthy.hello(UUID.randomUUID(), false, RawConnection.NOTHING);
                    healthy.welcome();
                });
            }
        } finally {
            transports.forEach(ManagedChannel::shutdownNow);
        }
    }

    @Test
    void idleConnectionsLeaveHealthAndManagementToOthers() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int connection = 0; connection < 80; connection++) {
                SSLSocket socket = (SSLSocket) PinnedCertificate.socketsOf(runtime)
                        .createSocket(from("127.0.0.2", runtime.managementPort()), "localhost", 0, true);
                socket.startHandshake();
                idle.add(socket);
            }
            Await.within("health is told", () -> {
                ManagementClient.of(runtime)
                        .anonymous()
                        .get("/q/health/live")
                        .then()
                        .statusCode(200);
            });
            ManagementClient.of(runtime).stats();
            Await.until("they are hung up on", () -> idle.stream().allMatch(HostilePeersTest::isHungUpOn));
        } finally {
            closeAll(idle);
        }
    }

    @Test
    void connectionsThatSayNothingAreBounded() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            // Long before the timeout of missing handshakes, which would end the first ones first.
            Await.until("the last one is closed while the first one is open", () -> {
                closeAll(silent);
                silent.clear();
                for (int connection = 0; connection < 2 * OF_A_PEER; connection++) {
                    silent.add(from("127.0.0.3", runtime.port()));
                }
                Await.until("the last one is closed", () -> isHungUpOn(silent.getLast()));
                return !isHungUpOn(silent.getFirst());
            });
            Await.until("those beyond the bound are closed", () -> open(silent) <= OF_A_PEER);
            assertOthersWork();
            Await.until("the others say nothing in time", () -> open(silent) == 0);
        } finally {
            closeAll(silent);
        }
    }

    private static long open(List<Socket> sockets) {
        return sockets.stream().filter(socket -> !isHungUpOn(socket)).count();
    }

    private static boolean isHungUpOn(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException ignored) {
            return false;
        } catch (IOException ignored) {
            return true;
        }
    }

    private static Socket from(String address, int port) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        return socket;
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static void assertOthersWork() throws Exception {
        Await.within("others work", () -> {
            try (RemoteMachine other = runtime.connect()) {
                assertEquals(6.0, other.ones(2, 3).sum().itemDouble());
            }
        });
    }
}
