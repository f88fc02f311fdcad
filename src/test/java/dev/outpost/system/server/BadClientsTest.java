package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.system.server.CuttingProxy.Direction;
import io.grpc.Status;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A slow or incomplete client costs the others nothing, and the machine at most one window. */
class BadClientsTest {
    private static final RuntimeProcess RUNTIME = RuntimeProcess.shared();
    /** Of 32 MiB: the bytes in the network's buffers, and never a lane's window. */
    private static final int WINDOW_BYTES = 16 << 20;

    private static final int ELEMENTS = 8 << 20;

    private static ManagementClient management;

    @BeforeAll
    static void connect() {
        management = ManagementClient.of(RUNTIME);
    }

    @Test
    void slowReaderIsSentNoMoreThanItReads() throws InterruptedException {
        long before = bulkOut();
        try (RawConnection slow = RawConnection.greeted(RUNTIME)) {
            slow.fill(1, ELEMENTS);
            slow.control(new ToRuntime.Fetch(1, 1));
            assertInstanceOf(ToClient.Fetched.class, slow.next());
            long sent = bytesWhenItStandsStill(before) - before;
            assertOthersWork();
            assertEquals(sent, bulkOut() - before);
            assertTrue(sent < WINDOW_BYTES, () -> "a slow reader was sent " + sent + " bytes");
            assertEquals(4L * ELEMENTS, readAll(slow));
        }
    }

    /** Other clients are served while nothing more is sent to this one. */
    private static long bytesWhenItStandsStill(long before) {
        return Await.present("it stands still", () -> {
            long sent = bulkOut();
            assertOthersWork();
            return sent > before && sent == bulkOut() ? Optional.of(sent) : Optional.empty();
        });
    }

    @Test
    void anUploadThatStopsHoldsUpNobodyElse() {
        try (CuttingProxy proxy = new CuttingProxy(RUNTIME);
                RemoteMachine machine = RemoteMachine.connect(RUNTIME.remote(proxy.port()), new MachineOptions())) {
            HostTensor numbers = SampleComputations.large(4);
            machine.awaitReady();
            proxy.pauseAfter(Direction.TO_MACHINE, 1 << 20);
            CompletableFuture<Tensor> doubled =
                    CompletableFuture.supplyAsync(() -> machine.tensor(numbers).mul(1));
            Await.until("it stands still", proxy::isPaused);
            assertOthersWork();
            proxy.resume();
            assertArrayEquals(numbers.bytes(), doubled.join().toHost().bytes());
        }
    }

    @Test
    void aLaneThatEndsEndsTheConnectionButNotTheSession() throws InterruptedException {
        UUID session = UUID.randomUUID();
        for (boolean isControl : new boolean[] {true, false}) {
            try (RawConnection first = RawConnection.open(RUNTIME);
                    RawConnection second = RawConnection.open(RUNTIME)) {
                first.hello(session, !isControl, RawConnection.NOTHING);
                first.welcome();
                (isControl ? first.control : first.bulk).halfClose();
                assertEquals(Status.Code.OK, first.control.awaitEnd().getCode());
                assertEquals(Status.Code.OK, first.bulk.awaitEnd().getCode());
                second.hello(session, true, RawConnection.NOTHING);
                second.welcome();
            }
        }
    }

    /** The lanes are separate streams: the control lane of a disconnecting client is read to its end, whichever lane ends first. */
    @Test
    void theLastWordMayComeAfterTheBulkLaneIsFinished() throws InterruptedException {
        try (RawConnection leaving = RawConnection.greeted(RUNTIME)) {
            leaving.bulk.halfClose();
            leaving.leave();
            assertTrue(assertInstanceOf(ToClient.Reply.class, leaving.next())
                    .reply()
                    .hasFarewell());
            leaving.control.halfClose();
            assertEquals(Status.Code.OK, leaving.control.awaitEnd().getCode());
        }
    }

    @Test
    void aHalfClosedTransportIsReplaced() {
        for (Direction direction : Direction.values()) {
            try (CuttingProxy proxy = new CuttingProxy(RUNTIME);
                    RemoteMachine machine = RemoteMachine.connect(RUNTIME.remote(proxy.port()), new MachineOptions())) {
                Tensor ones = machine.ones(2, 3);
                assertEquals(6.0, ones.sum().itemDouble());
                proxy.halfClose(direction);
                assertEquals(12.0, ones.add(1).sum().itemDouble());
                assertEquals(4, proxy.accepted(), "transports, two a connection");
            }
        }
    }

    private static void assertOthersWork() {
        try (RemoteMachine other = RUNTIME.connect()) {
            assertEquals(6.0, other.ones(2, 3).sum().itemDouble());
        }
    }

    private static long readAll(RawConnection slow) throws InterruptedException {
        slow.bulk.request(Integer.MAX_VALUE);
        long bytes = 0;
        while (bytes < 4L * ELEMENTS) {
            if (slow.bulk.next() instanceof Frame.Data data) {
                for (Message message : Message.decodeAll(data.payload())) {
                    bytes += assertInstanceOf(ToClient.DownloadChunk.class, message)
                            .bytes()
                            .length();
                }
                slow.acknowledge(Lane.BULK, data.number());
            }
        }
        return bytes;
    }

    private static long bulkOut() {
        return management.stats().getLong("work.traffic.out.BULK");
    }
}
